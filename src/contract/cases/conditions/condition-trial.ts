import type { Item } from '../../../dynamodb/attribute-value.js'
import { expectInvalidRequest, expectValidationError } from '../../assertions.js'
import { type ContractCase, defineCases } from '../../contract-case.js'
import { ItemTrial, type PlaceholderValues, toPlaceholders } from '../../fixtures/item-trial.js'
import type { TestBench } from '../../test-bench.js'

const WRITES = ['putItem', 'updateItem', 'deleteItem'] as const
type WriteOperation = (typeof WRITES)[number]

/** A condition tried by one of the writes on an item that is there already. */
class ConditionTrial {
  private readonly attributes: Item

  private constructor(
    private readonly trial: ItemTrial,
    private readonly write: WriteOperation,
    attributes: Item,
  ) {
    this.attributes = attributes
  }

  static async of(bench: TestBench, write: WriteOperation, attributes: Item): Promise<ConditionTrial> {
    return new ConditionTrial(await ItemTrial.of(bench, attributes), write, attributes)
  }

  /** The same write with other attributes in the item. */
  async withAttributes(attributes: Item): Promise<ConditionTrial> {
    await this.trial.put(attributes)
    return new ConditionTrial(this.trial, this.write, attributes)
  }

  /** Whether the condition let the write through; the item is as before afterwards. */
  async isMet(condition: string, given: PlaceholderValues = {}): Promise<boolean> {
    try {
      await this.send(condition, given)
    } catch (error) {
      if ((error as Error).name !== 'ConditionalCheckFailedException') throw error
      return false
    }
    if (this.write === 'deleteItem') await this.trial.put(this.attributes)
    return true
  }

  async expectInvalid(condition: string, given: PlaceholderValues, message: string | RegExp): Promise<void> {
    await expectInvalidRequest(this.send(condition, given), message)
  }

  /** As above, where the request is one that the service's current validator does not take. */
  async expectInvalidBare(condition: string, given: PlaceholderValues, message: string): Promise<void> {
    await expectValidationError(this.send(condition, given), message)
  }

  private send(ConditionExpression: string, given: PlaceholderValues): Promise<unknown> {
    const { store, TableName, Key } = this.trial
    const request = { TableName, ConditionExpression, ...toPlaceholders(given) }
    if (this.write === 'putItem') return store.putItem({ ...request, Item: this.trial.item(this.attributes) })
    return store[this.write]({ ...request, Key })
  }
}

type ConditionCaseRunner = (trial: ConditionTrial) => Promise<void>

/** Cases about conditions, each for every write that takes one, on an item with these attributes. */
export function defineConditionCases(attributes: Item, sentences: Record<string, ConditionCaseRunner>): ContractCase[] {
  return WRITES.flatMap(write => {
    const runs = Object.entries(sentences).map(([sentence, run]) => [
      sentence,
      async (bench: TestBench) => run(await ConditionTrial.of(bench, write, attributes)),
    ])
    return defineCases(write, Object.fromEntries(runs))
  })
}
