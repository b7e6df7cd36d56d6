/** `npm run example -- students`: runs in memory, or on the folder or endpoint in the variable STORE. */
import { dynamodb } from 'edgewise/aws'
import { disk, memory } from 'edgewise/engine'
import { rename } from './rename.js'

const { STORE, AWS_REGION } = process.env

/** A local endpoint accepts any credentials, but the AWS SDK does not send a request without them. */
const ANYONE = { region: 'us-east-1', credentials: { accessKeyId: 'any', secretAccessKey: 'any' } }

function chosen() {
  if (STORE === undefined) return memory()
  return /^https?:/.test(STORE) ? dynamodb({ endpoint: STORE, ...(AWS_REGION ? {} : ANYONE) }) : disk(STORE)
}

const { before, after } = await rename(chosen())
console.log('Before:')
console.table(before)
console.log("After Tom's name changed, and Ann left a class:")
console.table(after)
