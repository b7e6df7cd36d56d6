import type { AttributeType, AttributeValue } from '../../dynamodb/attribute-value.js'
import type { DeclaredType } from '../../layout/slots.js'
import { membersByName } from '../../plan/members.js'
import { json } from '../../schema/attributes/json.js'
import { number } from '../../schema/attributes/number.js'
import { string } from '../../schema/attributes/string.js'
import type { DeclaredAttribute } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import type { NodeTest, Operand } from '../../traverse/node-test.js'
import { assertOperands, assertOrdered, assertRange, assertTextFunction } from '../calls/condition-checks.js'
import type { Condition, Subject, Test } from '../types/condition.js'

/** A condition on nodes that are read anyway. It becomes data, since a batch of DynamoDB takes no filter. */
class NodeClause implements Test {
  constructor(readonly test: NodeTest) {}

  and(other: Test): NodeClause {
    return new NodeClause({ test: 'and', of: [this.test, nodeTestOf(other)] })
  }

  or(other: Test): NodeClause {
    return new NodeClause({ test: 'or', of: [this.test, nodeTestOf(other)] })
  }

  negated(): NodeClause {
    return new NodeClause({ test: 'negated', of: this.test })
  }
}

function nodeTestOf(given: unknown): NodeTest {
  if (given instanceof NodeClause) return given.test
  throw new GraphError(
    'condition.invalid',
    'condition: the value is not a test; give a test, for example r => r.year.above(2000).',
  )
}

/** A condition over the nodes of a type as data. */
export function toNodeTest(type: DeclaredType, condition: Condition<never>): NodeTest {
  if (typeof condition !== 'function') return nodeTestOf(condition)
  let accessCount = 0
  const row = new Proxy(
    {},
    {
      get: (_, name) => {
        accessCount++
        const [member, more] = membersByName(type, String(name))
        if (more)
          throw new GraphError(
            'condition.invalid',
            `${type.name}.${String(name)}: the member has several parts; test an attribute.`,
          )
        return nodeSubjectOf(
          { attribute: member!.segments[0]!, at: [] },
          member!.attribute,
          `${type.name}.${String(name)}`,
        )
      },
    },
  )
  const test = nodeTestOf(condition(row as never))
  // Of two tests that && joins, JavaScript gives the second alone.
  if (countOperands(test) < accessCount)
    throw new GraphError(
      'condition.invalid',
      `${type.name}: the condition has several tests; join them by and() or or().`,
    )
  return test
}

function countOperands(test: NodeTest): number {
  if (test.test === 'and' || test.test === 'or') return test.of.reduce((sum, each) => sum + countOperands(each), 0)
  return test.test === 'negated' ? countOperands(test.of) : 1
}

const SIZE = number().declared
const ANYTHING = json().declared

function nodeSubjectOf(operand: Operand, attribute: DeclaredAttribute, label: string): Subject<unknown> {
  const value = (given: unknown, { kind, encode } = attribute): AttributeValue =>
    (kind === 'validated' ? ANYTHING.encode : encode)(given, label)
  const comparison = (test: '=' | '<>') => (given: unknown) => new NodeClause({ test, operand, value: value(given) })
  const order = (test: '<' | '<=' | '>' | '>=') => (given: unknown) =>
    new NodeClause({ test, operand, value: assertOrdered(value(given), label) })
  const text = (given: unknown) => value(given, string().declared)
  const textOperand = () => {
    assertTextFunction(attribute, label)
    return operand
  }
  return {
    is: comparison('='),
    not: comparison('<>'),
    below: order('<'),
    atMost: order('<='),
    above: order('>'),
    atLeast: order('>='),
    between: (from, to) => {
      const [least, greatest] = [value(from), value(to)]
      assertRange(least, greatest, label)
      const of = [{ test: '>=', operand, value: least } as const, { test: '<=', operand, value: greatest } as const]
      return new NodeClause({ test: 'and', of })
    },
    in: (...given) => {
      assertOperands(given, label)
      return new NodeClause({ test: 'in', operand, values: given.map(each => value(each)) })
    },
    startsWith: prefix => new NodeClause({ test: 'startsWith', operand: textOperand(), value: text(prefix) }),
    contains: given =>
      new NodeClause({
        test: 'contains',
        operand: textOperand(),
        value: attribute.type === 'S' ? text(given) : value(given, attribute.element ?? ANYTHING),
      }),
    exists: () => new NodeClause({ test: 'exists', operand }),
    missing: () => new NodeClause({ test: 'missing', operand }),
    hasType: (type: AttributeType) => new NodeClause({ test: 'type', operand, type }),
    size: () => nodeSubjectOf({ ...textOperand(), size: true }, SIZE, label) as never,
    at: step => {
      const name = step as string | number
      const inner = typeof name === 'number' ? attribute.element : attribute.members?.[name]
      const stored = inner?.storedAs ?? name
      return nodeSubjectOf({ ...operand, at: [...operand.at, stored] }, inner ?? ANYTHING, `${label}.${name}`) as never
    },
  }
}
