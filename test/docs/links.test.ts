import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { repositoryFiles } from '../tidy/files.js'

const ROOT = new URL('../../', import.meta.url)
const CODE = /^```.*?^```$/gms
const LINK = /\]\(([^)\s]+)\)/g

const documents = repositoryFiles().filter(({ path }) => path.endsWith('.md'))

/** Returns GitHub's anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

function hasAnchor(path: URL, anchor: string): boolean {
  const text = readFileSync(path, 'utf8').replace(CODE, '')
  return Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading]) => anchorOf(heading!)).includes(anchor)
}

it('every link of a document has an existing target', () => {
  const dead = documents.flatMap(({ path, text }) =>
    Array.from(text.replace(CODE, '').matchAll(LINK), ([, target]) => target!)
      .filter(target => !/^https?:/.test(target))
      .filter(target => {
        const [file, anchor] = target.split('#') as [string, string?]
        const found = file === '' ? new URL(path, ROOT) : new URL(file, new URL(path, ROOT))
        return !existsSync(found) || (anchor !== undefined && !hasAnchor(found, anchor))
      })
      .map(target => `${path}: ${target}`),
  )
  expect(dead).toEqual([])
})
