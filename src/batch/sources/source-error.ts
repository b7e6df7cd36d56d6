import { GraphError } from '../../schema/error.js'

/** An error about a file or a folder that a batch reads. */
export function sourceError(path: string, wrong: string, advice: string): GraphError {
  return new GraphError('batch.source', `${path}: ${wrong}; ${advice}.`, { name: path })
}
