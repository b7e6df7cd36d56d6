import type { Item } from '../../../dynamodb/attribute-value.js'
import { expectInvalidRequest, expectValidationError } from '../../assertions.js'
import { type ContractCase, defineCases } from '../../contract-case.js'
import { ItemTrial, type PlaceholderValues, toPlaceholders } from '../../fixtures/item-trial.js'
import type { TestBench } from '../../test-bench.js'

const WRITES = ['putItem', 'updateItem', 'deleteItem'] as const
type WriteOperation = (typeof WRITES)[number]

/** Evaluates a condition by one of the write operations on an existing item. */
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

  /** Adds other attributes to the item of the same write. */
  async withAttributes(attributes: Item): Promise<ConditionTrial> {
    await this.trial.put(attributes)
    return new ConditionTrial(this.trial, this.write, attributes)
  }

  /** Returns whether the condition allowed the write, and restores the item afterwards. */
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

  /** Like `expectInvalid`, for a request that the service's current validator rejects. */
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

/** Creates cases about conditions for every write that accepts one, on an item with these attributes. */
export function defineConditionCases(attributes: Item, sentences: Record<string, ConditionCaseRunner>): ContractCase[] {
  return WRITES.flatMap(write => {
    const runs = Object.entries(sentences).map(([sentence, run]) => [
      sentence,
      async (bench: TestBench) => run(await ConditionTrial.of(bench, write, attributes)),
    ])
    return defineCases(write, Object.fromEntries(runs))
  })
}
