// The shapes of operations outside the store interface, so that users can name the types of their responses.

export type * from './operations/account.js'
export type * from './operations/backups.js'
export type * from './operations/continuous-backups.js'
export type * from './operations/contributor-insights.js'
export type * from './operations/global-table-settings.js'
export type * from './operations/global-tables.js'
export type * from './operations/resource-policies.js'
export type * from './operations/statements.js'
export type * from './operations/tags.js'
export type * from './operations/vectors.js'
