/** What the service takes for the name of a table or an index. */
export const AWS_NAME_PATTERN = /^[\w.-]{3,255}$/
