export { computed } from './computed.js'
export { type EncryptedOptions, encrypted } from './encrypted.js'
export { mapped } from './mapped.js'
export { Secret } from './secret.js'
