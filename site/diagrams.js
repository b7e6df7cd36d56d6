// Draws rows of a graph as SVG: as nodes and edges, and as the items of the table and its indexes. The declaration is the
// only source, so a picture cannot differ from the code next to it. Colors are CSS variables of the page (diagrams.css).
const TEXT_WIDTH = 7.3 // of a character of the 12px monospace font
const COLORS = 6
const NODE = { height: 46, rowGap: 40, padding: 12 }
const ROW = { height: 24, padding: 10, gap: 8 }

const escapeText = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const round = number => Math.round(number * 10) / 10

/** Returns the CSS class with the color of a type. Kinds such as `role.actor` have the color of their type. */
function colorOf(layout, kind) {
  const at = layout.graph.types.findIndex(({ name }) => name === kind.split('.')[0])
  return at < 0 ? 'type-other' : `type-${at % COLORS}`
}

function svg(width, height, title, description, parts) {
  const size = `viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}"`
  const label = `${title}. ${description}`
  const head = `<title>${escapeText(title)}</title><desc>${escapeText(description)}</desc>`
  const ariaLabel = escapeText(label).replaceAll('"', '&quot;')
  return `<svg xmlns="http://www.w3.org/2000/svg" class="diagram" role="img" aria-label="${ariaLabel}" ${size}>${head}${parts.join('')}</svg>`
}

const textAt = (x, y, text, css = '') =>
  `<text x="${round(x)}" y="${round(y)}"${css && ` class="${css}"`}>${escapeText(text)}</text>`

/** Formats a value of a row: a date as its day, an object as its values. */
function formatValue(value) {
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  if (value instanceof Set) return [...value].map(formatValue).join(', ')
  if (value !== null && typeof value === 'object') return Object.values(value).map(formatValue).join('/')
  return String(value)
}

const attributesText = (row, identity) =>
  Object.entries(row)
    .filter(([name]) => !identity.includes(name))
    .map(([name, value]) => `${name} ${formatValue(value)}`)
    .join(', ')

const describe = (type, detail) => (detail ? `${type.name} · ${detail}` : type.name)
const nodeKey = (type, id) => `${type.name} ${formatValue(id)}`

/** Collects the nodes and links of the rows. An end without a row becomes a node, and an owned node is linked to its owner. */
function collectGraph(layout, rows) {
  const nodes = new Map()
  const links = []
  const ensureNode = (type, id, detail = '') => {
    const key = nodeKey(type, id)
    if (detail || !nodes.has(key))
      nodes.set(key, { type: type.name, name: formatValue(id), detail: describe(type, detail) })
    return key
  }
  const types = layout.graph.types.map(type => ({ type, of: rows[type.name] ?? [] }))
  for (const { type, of } of types.filter(({ type }) => type.kind === 'node')) {
    const { within, id } = type.options
    const identity = [...(within ? [within.name] : []), ...[id].flat()]
    for (const row of of) {
      const key = ensureNode(
        type,
        identity.length > 1 ? identity.map(name => row[name]) : row[id],
        attributesText(row, identity),
      )
      if (within) links.push({ type: type.name, label: '', from: ensureNode(within, row[within.name]), to: key })
    }
  }
  for (const { type, of } of types.filter(({ type }) => type.kind === 'edge')) {
    const ends = Object.entries(type.ends)
    for (const row of of) {
      const keys = ends.map(([end, node]) => ensureNode(node, row[end]))
      const label = describe(type, attributesText(row, Object.keys(type.ends)))
      for (const to of keys.slice(1)) links.push({ type: type.name, label, from: keys[0], to })
    }
  }
  return { nodes, links }
}

/** Places the nodes: a column for each type, or an ellipse if all have one type. Boxes and gaps are as wide as their texts. */
function placeNodes(nodes, links) {
  const all = [...nodes.values()]
  const columns = [...new Set(all.map(({ type }) => type))].map(name => all.filter(({ type }) => type === name))
  const longest = texts => Math.max(0, ...texts.map(text => text.length)) * TEXT_WIDTH
  const box = longest(all.flatMap(({ name, detail }) => [name, detail])) + 2 * NODE.padding
  const label = longest(links.map(({ label }) => label)) + 2 * NODE.padding
  const rowHeight = NODE.height + NODE.rowGap
  const rows = Math.max(...columns.map(column => column.length))
  const labelAt = columns.length > 1 ? 0.35 : 0.5
  const gap = Math.max(120, label / 2 / labelAt)
  columns.forEach((column, x) => {
    column.forEach((node, y) => {
      const angle = (2 * Math.PI * (y + 0.5)) / column.length
      if (columns.length > 1)
        Object.assign(node, { x: x * (box + gap), y: (rows * rowHeight * (y + 0.5)) / column.length })
      else Object.assign(node, { x: ((box + gap) / 2) * -Math.cos(angle) * 1.2, y: rowHeight * 0.8 * -Math.sin(angle) })
    })
  })
  const [left, top] = ['x', 'y'].map(axis => Math.min(...all.map(node => node[axis])))
  for (const node of all) {
    node.x += box / 2 + 2 - left
    node.y += NODE.height - top
  }
  const [right, bottom] = ['x', 'y'].map(axis => Math.max(...all.map(node => node[axis])))
  return { box, labelAt, width: right + box / 2 + 2, height: bottom + NODE.height / 2 + 2 }
}

/** Returns the point where the line from a node to another leaves the box of the first. */
function borderPoint(from, to, box) {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const scale = Math.min(box / 2 / Math.abs(dx || 1e-9), NODE.height / 2 / Math.abs(dy || 1e-9))
  return { x: from.x + dx * scale, y: from.y + dy * scale }
}

/** Draws a line and its label. Lines of columns cross in the middle, so `labelAt` is nearer to the start there. */
function drawLink(layout, nodes, { type, label, from, to }, { box, labelAt }) {
  const color = colorOf(layout, type)
  if (from === to) {
    const { x, y } = nodes.get(from)
    const top = round(y - NODE.height / 2)
    const loop = `<path class="link ${color}" d="M${round(x - 20)} ${top}c-10 -16 50 -16 40 0"/>`
    return { line: loop, label: textAt(x, top - 14, label, 'link-label') }
  }
  const start = borderPoint(nodes.get(from), nodes.get(to), box)
  const end = borderPoint(nodes.get(to), nodes.get(from), box)
  const line = `<path class="link ${color}" d="M${round(start.x)} ${round(start.y)}L${round(end.x)} ${round(end.y)}"/>`
  const dot = `<circle class="link-end ${color}" cx="${round(end.x)}" cy="${round(end.y)}" r="3.5"/>`
  const [x, y] = [start.x + (end.x - start.x) * labelAt, start.y + (end.y - start.y) * labelAt]
  return { line: line + dot, label: textAt(x, y + 4, label, 'link-label') }
}

/**
 * Draws rows as nodes and edges. A dot marks the last end of an edge.
 *
 * @returns the SVG, or undefined if the rows have no edges
 */
export function drawGraph(layout, rows) {
  const { nodes, links } = collectGraph(layout, rows)
  if (nodes.size === 0) throw new Error(`diagram of '${layout.graph.name}': the rows have no nodes; add rows.`)
  if (links.length === 0) return undefined
  const places = placeNodes(nodes, links)
  const { box, width, height } = places
  const boxes = [...nodes.values()].map(({ type, name, detail, x, y }) => {
    const corner = `x="${round(x - box / 2)}" y="${round(y - NODE.height / 2)}"`
    const rect = `<rect class="node ${colorOf(layout, type)}" ${corner} width="${round(box)}" height="${NODE.height}" rx="8"/>`
    return rect + textAt(x, y - 3, name, 'node-name') + textAt(x, y + 14, detail, 'node-detail')
  })
  const drawn = links.map(link => drawLink(layout, nodes, link, places))
  const described = links.map(({ type, from, to }) => `${type}: ${from} to ${to}`).join('; ')
  const parts = [...drawn.map(({ line }) => line), ...drawn.map(({ label }) => label), ...boxes]
  return svg(width, height, `${layout.graph.name} as nodes and edges`, described, parts)
}

/** Reads the cells of a table that `printItems` or `printIndex` formatted. The second line has the column positions. */
function cellsOf(text) {
  const [header, rule, ...lines] = text.split('\n')
  const bars = [...rule.matchAll(/\|/g)].map(({ index }) => index)
  const cells = line => bars.slice(1).map((bar, at) => line.slice(bars[at] + 1, bar).trim())
  return { columns: cells(header), rows: lines.map(cells) }
}

/** Draws one table. The rows of a partition share a box. */
function drawTable(layout, heading, { columns, rows }, top) {
  const widths = columns.map((name, at) => Math.max(...[name, ...rows.map(row => row[at])].map(cell => cell.length)))
  const starts = widths.map((_, at) =>
    widths.slice(0, at).reduce((x, width) => x + width * TEXT_WIDTH + 2 * ROW.padding, ROW.padding),
  )
  const width = starts.at(-1) + widths.at(-1) * TEXT_WIDTH + ROW.padding
  const parts = [textAt(2, top + 14, heading, 'table-name')]
  const cell = (text, at, y, css) => (text ? [textAt(starts[at] + 2, y + 16, text, css)] : [])
  let y = top + 24
  parts.push(...columns.flatMap((name, at) => cell(name, at, y, 'column-name')))
  y += ROW.height
  const typeColumn = columns.indexOf(layout.names.type)
  rows.forEach((row, at) => {
    const first = at === 0 || rows[at - 1][0] !== row[0]
    if (first) {
      if (at > 0) y += ROW.gap
      const size = rows.filter(other => other[0] === row[0]).length
      parts.push(
        `<rect class="partition" x="2" y="${y}" width="${round(width)}" height="${size * ROW.height}" rx="6"/>`,
      )
    }
    const color = colorOf(layout, row[typeColumn] ?? '')
    parts.push(
      `<rect class="item ${color}" x="4" y="${y + 2}" width="${round(width - 4)}" height="${ROW.height - 4}" rx="4"/>`,
    )
    parts.push(...row.flatMap((text, column) => cell(first || column > 0 ? text : '', column, y)))
    y += ROW.height
  })
  return { parts, width: width + 4, bottom: y + 4 }
}

/**
 * Draws rows as the items of the table and the entries of its indexes, with one box for each partition.
 *
 * @param tools - `itemsOf`, `printItems` and `printIndex` of `edgewise/layout`
 */
export function drawItems(layout, rows, { itemsOf, printItems, printIndex }) {
  const items = itemsOf(layout, rows)
  if (items.length === 0) throw new Error(`diagram of '${layout.graph.name}': the rows have no items; add rows.`)
  const indexes = layout.design.indexes.map(({ name }) => [`Index ${name}`, cellsOf(printIndex(layout, items, name))])
  const tables = [['Table', cellsOf(printItems(layout, items))], ...indexes.filter(([, { rows }]) => rows.length > 0)]
  let [width, bottom] = [0, 0]
  const parts = tables.flatMap(([heading, table]) => {
    const drawn = drawTable(layout, heading, table, bottom === 0 ? 0 : bottom + 12)
    width = Math.max(width, drawn.width)
    bottom = drawn.bottom
    return drawn.parts
  })
  const described = tables.map(([heading, table]) => `${heading}: ${table.rows.length} items`).join('; ')
  return svg(width, bottom, `${layout.graph.name} as items`, described, parts)
}
