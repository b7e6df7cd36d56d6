/** `npm run example -- students`: in memory, or on what STORE names: a folder, or the address of an endpoint. */
import { dynamodb } from 'edgewise/aws'
import { disk, memory } from 'edgewise/engine'
import { rename } from './rename.js'

const { STORE, AWS_REGION } = process.env

/** What listens on this machine takes any, but the AWS SDK sends nothing without. */
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
