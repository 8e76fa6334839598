/** The supervisor of a wake reads its secret from this variable. */
export const TOKEN = 'INBOX_WAKE_TOKEN'
/** The supervisor reads what its program gets from this variable, as JSON. */
export const AROUND = 'INBOX_WAKE_AROUND'
