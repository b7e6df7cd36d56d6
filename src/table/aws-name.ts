/** The names that AWS accepts for a table or an index. */
export const AWS_NAME_PATTERN = /^[\w.-]{3,255}$/
