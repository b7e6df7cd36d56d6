import { invalidParameter, ServiceError } from '../errors.js'

/** Global tables of before DescribeTable told of replicas: nobody has one any more, nor is one made. */
export const noGlobalTable = (name: string) => missing(`Global table not found: ${doesNotExist(name)}`)
/** The same, as those who ask for its settings are told. */
export const noGlobalTableSettings = (name: string) => missing(doesNotExist(name))

export const doesNotExist = (name: string) => `Global table with name: '${name}' does not exist.`

const missing = (message: string) => new ServiceError('GlobalTableNotFoundException', message)

export const oldVersion = () =>
  invalidParameter(
    'DynamoDB global tables version 2017.11.29 is not supported. ' +
      'We recommend using DynamoDB global tables version 2019.11.21, instead of version 2017.11.29 (Legacy).',
  )
