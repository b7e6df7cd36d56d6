import { relative, resolve } from 'node:path'
import { CommandFailure, failureText, toPlacedFailure } from '../command-failure.js'

const MISSING_CODES: ReadonlySet<unknown> = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'])

/** Describes why a file could not be loaded, and how to fix it. */
export function toLoadFailure(file: string, error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error
  if (!(error instanceof Error))
    return new CommandFailure(`${file}: the file threw '${String(error)}' while loading; correct the file.`)
  const { message, stack = '' } = error
  const [, syntax, line, column] = /ParseError: (.*?)\s*\n.*:(\d+):(\d+)$/s.exec(message) ?? []
  if (syntax)
    return new CommandFailure(
      `${file}:${line}:${Number(column) + 1}: the file has a syntax error (${syntax}); correct it.`,
    )
  const [, missing] = /Cannot find (?:module|package) '([^']+)'/.exec(message) ?? []
  if (missing && MISSING_CODES.has((error as { code?: unknown }).code))
    return new CommandFailure(
      `${importerIn(message) ?? file}: the import '${missing}' does not exist; ${missingModuleAdvice(missing)}.`,
    )
  const where = lineIn(stack, resolve(file))
  const knownText = failureText(error)
  if (knownText) return toPlacedFailure(`${file}${where}`, knownText)
  return new CommandFailure(
    `${file}${where}: the file failed while loading (${error.name}: ${withoutCompiledCalls(message)}); correct the file.`,
  )
}

/** The cause may be a file that this one imports. */
function importerIn(message: string): string | undefined {
  const [, path] = /(?:Require stack:\n- |imported from )(.+)/.exec(message) ?? []
  return path && relative(process.cwd(), path)
}

/** Imports have generated names at run time. */
const withoutCompiledCalls = (message: string) => message.replace(/\(0 , (?:\w+\.)?(\w+)\)/g, '$1')

const missingModuleAdvice = (missing: string) =>
  /^[./]/.test(missing) ? 'correct the path' : `run \`npm install ${packageOf(missing)}\``

const packageOf = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

/** The line of the file that was running, as `:12`. */
function lineIn(stack: string, path: string): string {
  const at = stack.indexOf(`${path}:`)
  return at < 0 ? '' : (/^:\d+/.exec(stack.slice(at + path.length))?.[0] ?? '')
}
