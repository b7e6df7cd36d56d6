export { fromBase64, toBase64 } from '../../dynamodb/export/base64.js'
