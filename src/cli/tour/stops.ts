import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createJiti } from 'jiti'
import type { Consumed } from '../../graph/types/call.js'
import { type Example, itemsOf, type PhysicalItem } from '../../layout/items/items.js'
import type { Layout } from '../../layout/layout.js'
import { packageFilePath } from '../package-files.js'

/** The folders of the package's examples, in the order of the tour. */
export const TOUR_STOPS = ['movies', 'courses', 'follows', 'shops', 'school', 'invoices', 'people'] as const

export type TourStopName = (typeof TOUR_STOPS)[number]

/** An access pattern that was run. */
export interface TourQuestion {
  readonly what: string
  readonly code: string
  readonly explained: string
  readonly value: unknown
  readonly requests: number
  readonly consumed: Consumed
  readonly found: readonly { readonly index: string | undefined; readonly items: readonly PhysicalItem[] }[]
}

/** A graph with its items and questions. */
export interface TourStop {
  readonly name: TourStopName
  readonly title: string
  /** The source code that declares the graph. */
  readonly declarations: string
  readonly layout: Layout
  readonly items: readonly PhysicalItem[]
  readonly questions: readonly TourQuestion[]
}

/** The exports of an example, as `print.js` of the examples provides them. */
interface ShownExample {
  readonly title: string
  readonly graph: { readonly $layout: Layout }
  readonly rows: Example
}

interface ExamplePrinter {
  presentBy(present: (shown: ShownExample, asked: readonly TourQuestion[]) => void): void
}

/** Runs an example. Node evaluates a module only once, so each example loads once. */
export async function loadTourStop(name: TourStopName): Promise<TourStop> {
  let stop: TourStop | undefined
  const { presentBy } = await importExample<ExamplePrinter>('print.js')
  presentBy(({ title, graph, rows }, questions) => {
    const layout = graph.$layout
    stop = { name, title, declarations: declarationsOf(name), layout, items: itemsOf(layout, rows), questions }
  })
  await importExample(`${name}/${name}.js`)
  if (!stop) throw new Error(`the example ${name} showed nothing`)
  return stop
}

const DECLARATION = /^(?:export )?(const \w+ = (?:node|edge|graph|layout)\(.*?\));$/gms
/** The compiler indents by four spaces; the tour uses two. */
const INDENT = /^( {4})+/gm

function declarationsOf(name: TourStopName): string {
  const folder = packageFilePath(`dist/examples/${name}`)
  const files = readdirSync(folder).filter(file => file.endsWith('.js'))
  const code = files.map(file => readFileSync(join(folder, file), 'utf8')).join('\n')
  const text = Array.from(code.matchAll(DECLARATION), ([, declared]) => declared).join('\n')
  return /^ {2}\S/m.test(text) ? text : text.replace(INDENT, spaces => ' '.repeat(spaces.length / 2))
}

/** The examples are compiled next to this package's code and are not a part of it. */
const loader = createJiti(import.meta.url, { tryNative: true, interopDefault: false, fsCache: false })
const importExample = <T>(path: string): Promise<T> => loader.import(packageFilePath(`dist/examples/${path}`))
