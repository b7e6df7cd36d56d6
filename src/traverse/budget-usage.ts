import { GraphError } from '../schema/error.js'
import type { Neighbor } from './need.js'
import { type Budget, DEFAULT_BUDGET_PATHS } from './traversal.js'
import { nodeTextOf } from './visit.js'

export type OnBudget = 'error' | 'partial'

/** Something that the budget did not allow to be read. */
export interface LeftOut {
  /** The path of adjacency lists, as in `follow.by.follower`, or the type of nodes. */
  readonly of: string
  /** The number of lists, or of nodes. */
  readonly count: number
}

/** The part of its budget that a traversal has used. */
export class BudgetUsage {
  requests = 0
  /** The number of lists and nodes that were added to what is known. */
  progress = 0
  private edges = 0
  private paths = 0
  /** The most that the requests in flight can consume. */
  private reserved = 0
  private inFlight = 0
  private largest = 0
  private readonly waiting: (() => void)[] = []
  private readonly reached = new Set<string>()
  private readonly skipped = new Map<string, number>()

  constructor(
    readonly budget: Budget,
    readonly onBudget: OnBudget,
    /** The units consumed so far, as DynamoDB reported them. */
    private readonly units: () => number,
  ) {}

  /** Throws if a wave of so many requests passes the budget and the caller does not want a partial result. */
  assertWave(requests: number, of: string): void {
    const remaining = this.budget.requests - this.requests
    if (this.onBudget === 'error' && requests > remaining)
      throw budgetError(`${requests} more requests for ${of}, but ${remaining} of ${this.budget.requests} are left`)
  }

  /**
   * Reserves requests that are about to be sent, and returns the reserved units; undefined if the budget does not allow
   * them. Where less is left than a page can consume, requests wait for each other: only one page can pass the budget.
   */
  async reserve(requests: number, expected: number, mostEach: number): Promise<number | undefined> {
    const { budget } = this
    if (this.requests + requests > budget.requests) return undefined
    this.requests += requests
    if (budget.units === undefined) return 0
    const most = requests * mostEach
    const isSure = () => this.units() + this.reserved + most <= budget.units!
    while (!isSure() && this.inFlight > 0)
      await new Promise<void>(resolve => {
        this.waiting.push(resolve)
      })
    if (!isSure() && this.units() + Math.max(expected, requests * this.largest) > budget.units) {
      this.requests -= requests
      return undefined
    }
    this.inFlight++
    this.reserved += most
    return most
  }

  /** Ends a reservation. `units` is what one of its requests consumed. */
  settle(reserved: number, units: number): void {
    this.largest = Math.max(this.largest, units)
    if (this.budget.units === undefined) return
    this.reserved -= reserved
    this.inFlight--
    for (const resume of this.waiting.splice(0)) resume()
  }

  /** Counts a list against the budgets of edges and nodes; false if it does not fit. */
  countList(neighbors: readonly Neighbor[]): boolean {
    const { budget, reached } = this
    if (budget.edges !== undefined && this.edges + neighbors.length > budget.edges) return false
    if (budget.nodes !== undefined) {
      const fresh = new Set(neighbors.map(({ node }) => nodeTextOf(node)).filter(text => !reached.has(text)))
      if (reached.size + fresh.size > budget.nodes) return false
      for (const text of fresh) reached.add(text)
    }
    this.edges += neighbors.length
    this.progress++
    return true
  }

  /** Counts simple paths against the budget; false if they do not fit. */
  countPaths(of: string, count: number): boolean {
    const { paths: most = DEFAULT_BUDGET_PATHS } = this.budget
    this.paths += count
    if (this.paths <= most) return true
    if (this.onBudget === 'error') throw budgetError(`more than ${most} paths through ${of}`)
    if (!this.skipped.has(of)) this.recordLeftOut(of, 1)
    return false
  }

  /** Records what was not read; throws if the caller does not want a partial result. */
  recordLeftOut(of: string, count: number): void {
    if (count === 0) return
    if (this.onBudget === 'error') throw budgetError(`more than its budget for ${of}`)
    this.skipped.set(of, (this.skipped.get(of) ?? 0) + count)
  }

  get leftOut(): LeftOut[] {
    return [...this.skipped].map(([of, count]) => ({ of, count }))
  }
}

export const budgetError = (needed: string): GraphError =>
  new GraphError(
    'traverse.budget',
    `traversal: it needs ${needed}; raise the budget, follow fewer edges, or accept a partial result (onBudget: 'partial').`,
  )
