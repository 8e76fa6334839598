/** The variable in which the supervisor of a wake finds its secret. */
export const TOKEN = 'INBOX_WAKE_TOKEN'
