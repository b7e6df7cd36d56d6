// Copies the documents of the repository into `build/pages` with the same paths, so that their links work. A README is the
// index of its folder. A link to a file without a page becomes plain text, and its tooltip shows the file.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const PAGES = fileURLToPath(new URL('build/pages/', import.meta.url))
const CODE = /(^```.*?^```$)/ms
const LINK = /\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)/g

const inFolder = folder =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.md'))
    .map(path => `${folder}/${path}`)
const sources = ['README.md', 'CHANGELOG.md', ...inFolder('docs'), ...inFolder('examples')]
/** The docs page named index.md describes the index access method; it is not a folder index. */
const pageOf = path => path.replace(/(?<=^|\/)index\.md$/, 'index-way.md').replace(/README\.md$/, 'index.md')

/** Converts a link of a document to a link of the page. */
function linked(source, text, target, anchor = '') {
  if (target === '' || /^https?:/.test(target)) return `[${text}](${target}${anchor})`
  const path = relative(ROOT, join(ROOT, dirname(source), target))
  return sources.includes(path) ? `[${text}](${pageOf(target)}${anchor})` : `<span title="${path}">${text}</span>`
}

rmSync(PAGES, { recursive: true, force: true })
for (const source of sources) {
  const parts = readFileSync(join(ROOT, source), 'utf8').split(CODE)
  const page = parts.map((part, at) =>
    at % 2 === 1 ? part : part.replace(LINK, (_, text, target, anchor) => linked(source, text, target, anchor)),
  )
  const place = join(PAGES, pageOf(source))
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, page.join(''))
}
console.log(`${sources.length} pages`)
