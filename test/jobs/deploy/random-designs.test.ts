import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { graph, layout, node, string } from '../../../src/index.js'
import { deploy, deployment } from '../../../src/jobs/deploy/deploy.js'
import type { TableDesign } from '../../../src/layout/design.js'
import type { Layout } from '../../../src/layout/layout.js'
import { Choice } from '../../graph/model/runner/random-choice.js'
import { runs } from '../../graph/model/suite.js'
import { anyTwoDesigns } from '../../table/diff/random-designs.js'

const plain = layout(graph('cinema', [node('movie', { name: string() }, { id: 'name' })])) as unknown as Layout
const HOUR_MS = 3600 * 1000

class Died extends Error {}

/** A store on a virtual clock. Its user crashes before or after some request. */
class Mortal {
  nowMs = Date.UTC(2026, 0, 1)
  readonly store = memory({ now: () => this.nowMs, transitionMs: 1000 })
  readonly clock = {
    now: () => this.nowMs,
    sleep: async (delayMs: number) => {
      this.nowMs += delayMs
    },
  }
  changes = 0

  dying(left: number, isDone: boolean): typeof this.store {
    let calls = left
    const call = async (send: () => Promise<unknown>, name: string) => {
      if (/^(create|update|put|delete)/.test(name)) this.changes++
      if (calls-- > 0) return send()
      if (isDone) await send()
      throw new Died()
    }
    return new Proxy(this.store, {
      get: (store, name) => {
        const value = Reflect.get(store, name)
        if (typeof value !== 'function' || typeof name !== 'string') return value
        return (...given: unknown[]) => call(() => value.apply(store, given), name)
      },
    })
  }
}

async function survived(mortal: Mortal, to: Layout, choice: Choice, optional: boolean): Promise<number> {
  for (let lives = 0; ; lives++) {
    const stop = new AbortController()
    try {
      const left = choice.below(12 * (lives + 1))
      const { postponed } = await deploy(to, mortal.dying(left, choice.chance(0.5)), {
        clock: mortal.clock,
        optional,
        signal: stop.signal,
        progress: () => choice.chance(0.05) && stop.abort(new Died()),
      })
      if (postponed.length === 0) return lives
      mortal.nowMs += HOUR_MS + 1
    } catch (error) {
      if (!(error instanceof Died)) throw error
    }
    if (choice.chance(0.3)) mortal.nowMs += choice.below(1500)
    if (lives > 500) throw new Error('for ever')
  }
}

it('any table gets any other possible design, although its deployments crash at random', {
  timeout: 120_000,
}, async () => {
  let [changed, lives, impossible] = [0, 0, 0]
  const holds = async (designs: readonly [TableDesign, TableDesign], seed: number) => {
    const choice = new Choice(seed)
    const [was, is] = designs.map(design => ({ ...plain, design }) as Layout)
    const mortal = new Mortal()
    lives += await survived(mortal, was!, choice, false)
    const optional = choice.chance(0.5)
    mortal.changes = 0
    const found = await deployment(is!, mortal.dying(1e9, false), { optional })
    expect(mortal.changes).toBe(0)
    if (found.difference.impossible.some(each => !each.optional)) {
      impossible++
      await expect(deploy(is!, mortal.dying(1e9, false), { clock: mortal.clock, optional })).rejects.toMatchObject({
        code: 'table.mismatch',
      })
      expect(mortal.changes).toBe(0)
      return
    }
    mortal.nowMs += choice.chance(0.5) ? HOUR_MS + 1 : 0
    lives += await survived(mortal, is!, choice, optional)
    changed++
    mortal.changes = 0
    const again = await deploy(is!, mortal.dying(1e9, false), { clock: mortal.clock, optional })
    expect(again).toMatchObject({ done: [], postponed: [] })
    expect(mortal.changes).toBe(0)
    const after = await deployment(is!, mortal.store, { optional })
    expect(after.create ?? after.consumers).toBeUndefined()
    expect(after.difference.steps.filter(step => optional || !step.optional)).toEqual([])
    expect(after.fingerprint).toBe('same')
  }
  await fc.assert(fc.asyncProperty(anyTwoDesigns, fc.noShrink(fc.nat()), holds), { numRuns: runs(60) })
  expect(Math.min(changed, lives, impossible)).toBeGreaterThan(0)
})
