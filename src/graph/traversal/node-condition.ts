import type { AttributeType, AttributeValue } from '../../dynamodb/attribute-value.js'
import type { DeclaredType } from '../../layout/slots.js'
import { membersNamed } from '../../plan/members.js'
import { json } from '../../schema/attributes/json.js'
import { number } from '../../schema/attributes/number.js'
import { string } from '../../schema/attributes/string.js'
import type { DeclaredAttribute } from '../../schema/declared.js'
import { GraphError } from '../../schema/error.js'
import type { NodeTest, Operand } from '../../traverse/node-test.js'
import type { Condition, Subject, Test } from '../types/condition.js'

/** A condition on nodes that are read anyway. It becomes data, since a batch of DynamoDB takes no filter. */
class NodeClause implements Test {
  constructor(readonly test: NodeTest) {}

  and(other: Test): NodeClause {
    return new NodeClause({ test: 'and', of: [this.test, testOf(other)] })
  }

  or(other: Test): NodeClause {
    return new NodeClause({ test: 'or', of: [this.test, testOf(other)] })
  }

  negated(): NodeClause {
    return new NodeClause({ test: 'negated', of: this.test })
  }
}

function testOf(given: unknown): NodeTest {
  if (given instanceof NodeClause) return given.test
  throw new GraphError('condition.invalid', 'the condition is not a test; give one as in r => r.year.above(2000)')
}

/** A condition over the nodes of a type as data. */
export function nodeTest(type: DeclaredType, condition: Condition<never>): NodeTest {
  if (typeof condition !== 'function') return testOf(condition)
  let made = 0
  const row = new Proxy(
    {},
    {
      get: (_, name) => {
        made++
        const [member, more] = membersNamed(type, String(name))
        if (more)
          throw new GraphError(
            'condition.invalid',
            `${type.name}.${String(name)}: it has several parts; test an attribute`,
          )
        return subjectOf({ attribute: member!.at[0]!, at: [] }, member!.attribute, `${type.name}.${String(name)}`)
      },
    },
  )
  const test = testOf(condition(row as never))
  // Of two tests that && joins, JavaScript gives the second alone.
  if (operandsIn(test) < made)
    throw new GraphError(
      'condition.invalid',
      `${type.name}: the condition has several tests; join them by and() or or()`,
    )
  return test
}

function operandsIn(test: NodeTest): number {
  if (test.test === 'and' || test.test === 'or') return test.of.reduce((sum, each) => sum + operandsIn(each), 0)
  return test.test === 'negated' ? operandsIn(test.of) : 1
}

const SIZE = number().declared
const ANYTHING = json().declared

function subjectOf(operand: Operand, attribute: DeclaredAttribute, label: string): Subject<unknown> {
  const value = (given: unknown, { kind, encode } = attribute): AttributeValue =>
    (kind === 'validated' ? ANYTHING.encode : encode)(given, label)
  const compared = (test: '=' | '<>' | '<' | '<=' | '>' | '>=') => (given: unknown) =>
    new NodeClause({ test, operand, value: value(given) })
  const text = (given: unknown) => value(given, string().declared)
  return {
    is: compared('='),
    not: compared('<>'),
    below: compared('<'),
    atMost: compared('<='),
    above: compared('>'),
    atLeast: compared('>='),
    between: (from, to) =>
      new NodeClause({
        test: 'and',
        of: [
          { test: '>=', operand, value: value(from) },
          { test: '<=', operand, value: value(to) },
        ],
      }),
    in: (...given) => new NodeClause({ test: 'in', operand, values: given.map(each => value(each)) }),
    startsWith: prefix => new NodeClause({ test: 'startsWith', operand, value: text(prefix) }),
    contains: given =>
      new NodeClause({
        test: 'contains',
        operand,
        value: attribute.type === 'S' ? text(given) : value(given, attribute.element ?? ANYTHING),
      }),
    exists: () => new NodeClause({ test: 'exists', operand }),
    missing: () => new NodeClause({ test: 'missing', operand }),
    hasType: (type: AttributeType) => new NodeClause({ test: 'type', operand, type }),
    size: () => subjectOf({ ...operand, size: true }, SIZE, label) as never,
    at: step => {
      const name = step as string | number
      const inner = typeof name === 'number' ? attribute.element : attribute.members?.[name]
      const stored = inner?.storedAs ?? name
      return subjectOf({ ...operand, at: [...operand.at, stored] }, inner ?? ANYTHING, `${label}.${name}`) as never
    },
  }
}
