// Copies the documents of the repository into `build/pages` with the same paths, so that their links work. A README is the
// index of its folder. A link to a file without a page becomes plain text, and its tooltip shows the file. The landing page
// and the pictures are made from the documents and the examples.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { landingPage } from './landing.js'
import { drawPictures, withPicture } from './pictures.js'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const PAGES = fileURLToPath(new URL('build/pages/', import.meta.url))
const CODE = /(^```.*?^```$)/ms
const LINK = /\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)/g

const inFolder = folder =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.md'))
    .map(path => `${folder}/${path}`)
const sources = ['README.md', 'CHANGELOG.md', ...inFolder('docs'), ...inFolder('examples')]
/**
 * The docs page named index.md describes the index access method; it is not a folder index. The landing page is the index of
 * the site, so the README of the repository is a page of its own.
 */
const pageOf = path =>
  path
    .replace(/^README\.md$/, 'readme.md')
    .replace(/(?<=^|\/)index\.md$/, 'index-way.md')
    .replace(/README\.md$/, 'index.md')

/** Converts a link of a document to a link of the page. */
function linked(source, text, target, anchor = '') {
  if (target === '' || /^https?:/.test(target)) return `[${text}](${target}${anchor})`
  const path = relative(ROOT, join(ROOT, dirname(source), target))
  const page = relative(dirname(source), pageOf(path))
  return sources.includes(path) ? `[${text}](${page}${anchor})` : `<span title="${path}">${text}</span>`
}

const pictures = await drawPictures()
rmSync(PAGES, { recursive: true, force: true })
for (const source of sources) {
  const text = readFileSync(join(ROOT, source), 'utf8')
  const picture = pictures.ways.get(source)
  const parts = (picture ? withPicture(text, picture) : text).split(CODE)
  const page = parts.map((part, at) =>
    at % 2 === 1 ? part : part.replace(LINK, (_, text, target, anchor) => linked(source, text, target, anchor)),
  )
  const place = join(PAGES, pageOf(source))
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, page.join(''))
}
writeFileSync(join(PAGES, 'index.md'), landingPage(readFileSync(join(ROOT, 'README.md'), 'utf8'), pictures.movies))
console.log(`${sources.length + 1} pages, ${pictures.ways.size} with pictures`)
