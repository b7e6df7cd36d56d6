import { createJiti } from 'jiti'
import type { Consumed } from '../../graph/types/call.js'
import { type Example, itemsOf, type PhysicalItem } from '../../layout/items.js'
import type { Layout } from '../../layout/layout.js'
import { installed } from '../installed.js'

/** The folders of the package's examples, in the order of the tour. */
export const STOPS = ['movies', 'courses', 'follows', 'shops', 'school', 'invoices', 'people'] as const

export type StopName = (typeof STOPS)[number]

/** An access pattern that was run. */
export interface Question {
  readonly what: string
  readonly code: string
  readonly explained: string
  readonly value: unknown
  readonly requests: number
  readonly consumed: Consumed
  readonly found: readonly { readonly index: string | undefined; readonly items: readonly PhysicalItem[] }[]
}

/** A graph with its items, and what was asked of it. */
export interface Stop {
  readonly name: StopName
  readonly title: string
  readonly layout: Layout
  readonly items: readonly PhysicalItem[]
  readonly questions: readonly Question[]
}

/** What an example shows, as `print.js` of the examples hands it over. */
interface Shown {
  readonly title: string
  readonly graph: { readonly $layout: Layout }
  readonly rows: Example
}

interface Printing {
  presentBy(present: (shown: Shown, asked: readonly Question[]) => void): void
}

/** Runs an example. A second time nothing would be run, so each is loaded once. */
export async function loadStop(name: StopName): Promise<Stop> {
  let stop: Stop | undefined
  const { presentBy } = await imported<Printing>('print.js')
  presentBy(({ title, graph, rows }, questions) => {
    stop = { name, title, layout: graph.$layout, items: itemsOf(graph.$layout, rows), questions }
  })
  await imported(`${name}/${name}.js`)
  if (!stop) throw new Error(`the example ${name} showed nothing`)
  return stop
}

/** They are compiled beside this package's code, and not a part of it. */
const loader = createJiti(import.meta.url, { tryNative: true, interopDefault: false, fsCache: false })
const imported = <T>(path: string): Promise<T> => loader.import(installed(`dist/examples/${path}`))
