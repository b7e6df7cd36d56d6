import type { TextFile } from './files.js'

/** Types of the language's own libraries that came after TypeScript 5.4, the oldest that reads our declarations. */
const NEWER =
  /(?<![\w'"`.])(?:(?:Map|Set|Array|String|RegExpString)Iterator|IteratorObject|AsyncIteratorObject|BuiltinIterator(?:Return)?|Uint8Array<|NonSharedBuffer)(?!\w)/

/** A declaration with one of these types fails in projects that check libraries with an older compiler. */
export function newerTypes(file: TextFile): string[] {
  return file.text.split('\n').flatMap((line, index) => {
    const found = NEWER.exec(line)
    return found ? [`${file.path}:${index + 1} names ${found[0]}`] : []
  })
}
