import { dynamodb } from 'edgewise/aws'
import { consumer, lambdaHandler } from 'edgewise/derive'
import { social } from './graph.js'

const { TABLE } = process.env

/** What Lambda calls with the changes of the table: keeps the counters and the copies of names. */
export const handler = lambdaHandler(consumer(social, dynamodb(), TABLE === undefined ? {} : { table: TABLE }))
