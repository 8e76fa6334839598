/** "Mail" in ASCII, in the header of the file: distinguishes a Mailroom store from any other SQLite file. */
export const APPLICATION_ID = 0x4d61696c
