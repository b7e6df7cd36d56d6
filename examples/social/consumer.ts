import { dynamodb } from 'edgewise/aws'
import { consumer, lambdaHandler } from 'edgewise/derive'
import { social } from './graph.js'

const { TABLE } = process.env

/** The Lambda handler of the table's stream. It updates the counters and the copies of names. */
export const handler = lambdaHandler(consumer(social, dynamodb(), TABLE === undefined ? {} : { table: TABLE }))
