import type { Item } from '../../../dynamodb/attribute-value.js'
import type { Bench } from '../bench.js'
import { type ContractCase, cases } from '../case.js'
import { invalid, invalidRequest } from '../expect.js'
import { type Given, placeholders, Trial } from './trial.js'

const WRITES = ['putItem', 'updateItem', 'deleteItem'] as const
type Write = (typeof WRITES)[number]

/** A condition tried by one of the writes on an item that is there already. */
class ConditionTrial {
  private readonly attributes: Item

  private constructor(
    private readonly trial: Trial,
    private readonly write: Write,
    attributes: Item,
  ) {
    this.attributes = attributes
  }

  static async of(bench: Bench, write: Write, attributes: Item): Promise<ConditionTrial> {
    return new ConditionTrial(await Trial.of(bench, attributes), write, attributes)
  }

  /** The same write with other attributes in the item. */
  async with(attributes: Item): Promise<ConditionTrial> {
    await this.trial.put(attributes)
    return new ConditionTrial(this.trial, this.write, attributes)
  }

  /** Whether the condition let the write through; the item is as before afterwards. */
  async holds(condition: string, given: Given = {}): Promise<boolean> {
    try {
      await this.send(condition, given)
    } catch (error) {
      if ((error as Error).name !== 'ConditionalCheckFailedException') throw error
      return false
    }
    if (this.write === 'deleteItem') await this.trial.put(this.attributes)
    return true
  }

  async refuses(condition: string, given: Given, message: string | RegExp): Promise<void> {
    await invalidRequest(this.send(condition, given), message)
  }

  /** As above, where the request is one that the service's current validator does not take. */
  async refusesBare(condition: string, given: Given, message: string): Promise<void> {
    await invalid(this.send(condition, given), message)
  }

  private send(ConditionExpression: string, given: Given): Promise<unknown> {
    const { store, TableName, Key } = this.trial
    const request = { TableName, ConditionExpression, ...placeholders(given) }
    if (this.write === 'putItem') return store.putItem({ ...request, Item: this.trial.item(this.attributes) })
    return store[this.write]({ ...request, Key })
  }
}

type ConditionRun = (trial: ConditionTrial) => Promise<void>

/** Cases about conditions, each for every write that takes one, on an item with these attributes. */
export function conditionCases(attributes: Item, sentences: Record<string, ConditionRun>): ContractCase[] {
  return WRITES.flatMap(write => {
    const runs = Object.entries(sentences).map(([sentence, run]) => [
      sentence,
      async (bench: Bench) => run(await ConditionTrial.of(bench, write, attributes)),
    ])
    return cases(write, Object.fromEntries(runs))
  })
}
