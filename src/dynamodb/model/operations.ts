import { buildRequestShape } from './build-shape.js'
import { OVERLAY } from './overlay/operations.js'
import type { StructureShape } from './shapes.js'

export type OperationName = keyof typeof OVERLAY

export const OPERATION_NAMES = Object.keys(OVERLAY) as OperationName[]

/**
 * The members that a request of each operation may contain, as the service validates them. A program calls few of the
 * operations, so each shape is built when it is first read.
 */
export const MODEL = Object.defineProperties(
  {},
  Object.fromEntries(OPERATION_NAMES.map(name => [name, lazyProperty(() => buildModel(name))])),
) as Readonly<Record<OperationName, StructureShape>>

const buildModel = (name: OperationName) => buildRequestShape(name, OVERLAY[name])

function lazyProperty(build: () => StructureShape): PropertyDescriptor & ThisType<object> {
  let built: StructureShape | undefined
  return { enumerable: true, get: () => (built ??= build()) }
}
