/** What the service takes for the name of a table or an index. */
export const SERVICE_NAME = /^[\w.-]{3,255}$/
