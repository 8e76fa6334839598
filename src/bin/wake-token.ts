/** The variable in which the supervisor of a wake finds its secret. */
export const TOKEN = 'INBOX_WAKE_TOKEN'
/** And the one in which it finds what its program is given, as JSON. */
export const AROUND = 'INBOX_WAKE_AROUND'
