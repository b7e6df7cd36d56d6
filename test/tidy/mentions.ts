import type { TextFile } from './files.js'

/** Files that a document names in code marks and that are not there, by their full path or by the end of it. */
export function deadMentions(document: TextFile, paths: readonly string[]): string[] {
  return Array.from(document.text.matchAll(/`([\w./-]+\.(?:ts|json))`/g), ([, name]) => name!)
    .filter(name => !paths.some(path => path === name || path.endsWith(`/${name}`)))
    .map(name => `${document.path} names ${name}`)
}
