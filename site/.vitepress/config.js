import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

const PAGES = new URL('../build/pages/', import.meta.url)
const HEADING_OR_ROW = /^## (.+)$|^\| \[([^\]]+)\]\(([^)]+)\) \|/gm

const textOf = path => readFileSync(new URL(path, PAGES), 'utf8')

/** The sections of an index page and the pages in them, as its headings and tables have them. */
function sectionsOf(index, title = '') {
  const sections = [{ text: title, items: [] }]
  for (const [, heading, text, link] of textOf(index).matchAll(HEADING_OR_ROW)) {
    if (heading) sections.push({ text: heading, items: [] })
    else sections.at(-1).items.push({ text, link: `/${posix.join(posix.dirname(index), link)}` })
  }
  return sections.filter(({ items }) => items.length > 0)
}

/** An entry that leads to an index has the pages of that under it. */
function withPages(item) {
  if (!item.link.endsWith('/index.md')) return item
  const items = sectionsOf(item.link.slice(1)).flatMap(section => section.items)
  return { ...item, collapsed: true, items }
}

/** Of the documents, and of the reference: the entries of the package, and what they export. */
function sidebars() {
  const documents = sectionsOf('docs/index.md').map(({ text, items }) => ({ text, items: items.map(withPages) }))
  const more = [
    { text: 'API', link: '/api/' },
    { text: 'changes', link: '/CHANGELOG.md' },
  ]
  documents.find(({ text }) => text === 'Reference').items.push(...more)
  const entries = JSON.parse(textOf('api/typedoc-sidebar.json'))
  return { '/': documents, '/api/': entries.map(entry => ({ ...entry, collapsed: false })) }
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M4 12 12 4" stroke="#3451b2" stroke-width="2"/><circle cx="4" cy="12" r="3" fill="#3451b2"/><circle cx="12" cy="4" r="3" fill="#3451b2"/></svg>`

export default {
  title: 'edgewise',
  description: 'Graphs and many-to-many relationships in DynamoDB',
  srcDir: 'build/pages',
  outDir: 'build/site',
  cacheDir: 'build/cache',
  cleanUrls: true,
  head: [
    ['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }],
    ...['wide.css', 'diagrams.css'].map(file => ['style', {}, readFileSync(new URL(file, import.meta.url), 'utf8')]),
  ],
  // Links of one page to another are part of the build: a dead one fails it.
  ignoreDeadLinks: false,
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/docs/start' },
      { text: 'Documents', link: '/docs/' },
      { text: 'Examples', link: '/examples/' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: sidebars(),
    outline: { level: [2, 3] },
  },
}
