import type { TextFile } from './files.js'
import { parse } from './syntax.js'

/** Names that several files may export: each means one thing everywhere. */
const EXCEPTIONS: ReadonlySet<string> = new Set([
  // The package's entry wraps both stores of the engine, under the same names.
  'disk',
  'memory',
  // AWS's legacy condition, and the condition that users write.
  'Condition',
  // Each command of the command line registers itself.
  'register',
])

/** Names that files of `src` export with different meanings. A name that is only passed on has one declaration. */
export function ambiguousNames(files: readonly TextFile[]): string[] {
  const declarations = new Map<string, string[]>()
  for (const file of files) {
    for (const name of declaredExports(file)) {
      if (!EXCEPTIONS.has(name)) declarations.set(name, [...(declarations.get(name) ?? []), file.path])
    }
  }
  return [...declarations]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name} is declared in ${paths.join(' and ')}`)
}

/** The names that a file declares and exports; a type and a value of one name are one declaration. */
function declaredExports(file: TextFile): Set<string> {
  const names = new Set<string>()
  for (const statement of (parse(file).program as { body: readonly Statement[] }).body) {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) continue
    const { id, declarations = [] } = statement.declaration
    if (id?.name) names.add(id.name)
    for (const each of declarations) if (each.id.name) names.add(each.id.name)
  }
  return names
}

interface Statement {
  readonly type: string
  readonly declaration?: {
    readonly id?: { readonly name?: string } | null
    readonly declarations?: readonly { readonly id: { readonly name?: string } }[]
  } | null
}
