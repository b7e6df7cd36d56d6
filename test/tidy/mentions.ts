import type { TextFile } from './files.js'

/** Returns missing files that a document names in code marks, by full path or by the end of a path. */
export function deadMentions(document: TextFile, paths: readonly string[]): string[] {
  return Array.from(document.text.matchAll(/`([\w./-]+\.(?:ts|json))`/g), ([, name]) => name!)
    .filter(name => !paths.some(path => path === name || path.endsWith(`/${name}`)))
    .map(name => `${document.path} names ${name}`)
}
