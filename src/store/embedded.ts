/** Maintains copies and counters of an opened graph in this process. */
export interface DerivedDataFollower {
  stop(): Promise<void>
  /** Resolves when copies and counters include all earlier writes. */
  settled(): Promise<void>
}

/**
 * What a store in the process of the program offers to the graphs that are opened on it. Requests to this store cost
 * nothing, so its graphs create missing tables by default. The services know graphs and layouts, which a store does
 * not, so they are passed as plain objects.
 */
export interface EmbeddedServices {
  /** Called with the layout of each graph before the graph is opened. */
  readonly prepareLayout?: (layout: object) => void
  /** Maintains the derived data of an opened graph until the graph is closed. */
  readonly startFollower?: (openedGraph: object) => DerivedDataFollower | Promise<DerivedDataFollower>
}

/** A registered symbol, so that a store of another copy of the package is recognized. */
const EMBEDDED = Symbol.for('edgewise.embedded')

/** Marks a store as embedded, with its services for graphs. A later call replaces the services. */
export function declareEmbedded<S extends object>(store: S, services: EmbeddedServices): S {
  return Object.defineProperty(store, EMBEDDED, { value: services, configurable: true })
}

/** The services of an embedded store; undefined for any other store. */
export function embeddedServicesOf(store: object): EmbeddedServices | undefined {
  return (store as { readonly [EMBEDDED]?: EmbeddedServices })[EMBEDDED]
}
