// The landing page of the site. Its sentences and its code are those of the README.
const PARAGRAPH = /^# .*\n+(.+)$/m
const FIRST_CODE = /^```ts\n.*?^```$/ms

const take = (text, pattern, name) => {
  const found = text.match(pattern)
  if (!found)
    throw new Error(`README.md: the landing page finds no ${name}; add one or change the pattern in landing.js.`)
  return found
}

/** Returns the page: two sentences, the first example, one graph in two pictures, and where to go from there. */
export function landingPage(readme, { graph, items }) {
  const [, paragraph] = take(readme, PARAGRAPH, 'first paragraph')
  const [code] = take(readme, FIRST_CODE, 'example')
  const [, first, second] = take(paragraph, /^(.+?\.) (.+?\.)(?: |$)/, 'two sentences')
  const action = (theme, text, link) => `    - { theme: ${theme}, text: ${text}, link: ${link} }`
  return `---
layout: home
hero:
  name: edgewise
  text: Graphs in DynamoDB
  tagline: ${JSON.stringify(`${first} ${second}`)}
  actions:
${action('brand', 'Start', '/docs/start')}
${action('alt', 'Concepts', '/docs/concepts')}
${action('alt', 'Traversals', '/docs/traversals')}
${action('alt', 'Comparison', '/docs/comparison')}
---

## An example

${code}

## One graph, two pictures

Two movies, two actors and three roles, as nodes and edges:

${graph}

The same rows as the items of one table and its index. A box is a partition, which one Query reads:

${items}

The site build draws both pictures from the declaration of the [movies example](examples/movies/index.md). Continue with the [start](docs/start.md), or read all [features](readme.md).
`
}
