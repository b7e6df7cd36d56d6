import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

interface ServiceReference {
  shape: string
}

/** A shape of AWS's description of a service, as the SDKs contain it. */
export interface ServiceShape {
  type: string
  members?: Record<string, ServiceReference>
  required?: string[]
  member?: ServiceReference
  key?: ServiceReference
  value?: ServiceReference
  min?: number
  max?: number
  pattern?: string
  enum?: string[]
}

export interface ServiceModel {
  operations: Record<string, { input?: ServiceReference }>
  shapes: Record<string, ServiceShape>
}

const SERVICES = ['dynamodb', 'dynamodbstreams']

/**
 * Reads the descriptions of DynamoDB and of its streams from botocore: in the folder of the environment variable
 * BOTOCORE, or from the installation that Python imports.
 */
export function botocoreModels(): ServiceModel[] {
  const folder = process.env.BOTOCORE ?? importedBotocore()
  return SERVICES.map(service => {
    const file = join(folder, 'data', service, '2012-08-10', 'service-2.json.gz')
    return JSON.parse(gunzipSync(readFileSync(file)).toString()) as ServiceModel
  })
}

function importedBotocore(): string {
  return execFileSync('python3', ['-c', 'import botocore; print(botocore.__path__[0])'], { encoding: 'utf8' }).trim()
}
