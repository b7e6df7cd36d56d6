import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { open, type TraceEvent, type TraceListener, wrap } from '../../../src/index.js'
import { openSchool, school } from '../school.js'

describe('a call', () => {
  it('a call runs only when it is awaited, and only the first time', async () => {
    const g = await openSchool()
    const call = g.student.create({ id: 's1', name: 'Tom' })
    expect(await g.student.exists('s1')).toBe(false)
    await call
    await call
    expect((await call.run()).requests).toBe(1)
    expect(await g.student.exists('s1')).toBe(true)
  })

  it('a printed call describes itself', async () => {
    const g = await openSchool()
    const call = g.student.get('s1')
    expect(inspect(call)).toBe('student.get(): await it')
    expect(JSON.stringify({ call })).toBe('{"call":"student.get(): await it"}')
    await call
  })

  it('a call is explained without sending a request', async () => {
    const g = await openSchool()
    const explained = g.student.create({ id: 's1', name: 'Tom', email: 'a@b.c' }).explain()
    expect(explained.toString()).toMatch(/TransactWriteItems/)
    expect(await g.student.exists('s1')).toBe(false)
  })

  it('a call stays within its cap from open() or from the call', async () => {
    const g = await openSchool(memory(), { caps: { requests: 2 } })
    await g.$batch([g.lesson.put({ course: 'math', no: 1, topic: 'x' })])
    await expect(
      g.lesson.by
        .course('math')
        .all()
        .run({ caps: { units: 0 } }),
    ).rejects.toMatchObject({ code: 'call.cap' })
    const shards = g.student.by.skill({ skills: 'go' }).all()
    await expect(shards).rejects.toMatchObject({ code: 'call.cap' })
  })

  it('an undefined option does not override an earlier value', async () => {
    const g = await openSchool(memory(), { caps: { requests: 0 } })
    const caps = { requests: undefined } as object
    await expect(g.student.get('s1').run({ caps })).rejects.toMatchObject({ code: 'call.cap' })
    const h = await openSchool()
    await h.lesson.put({ course: 'math', no: 1, topic: 'x' })
    const again = { token: undefined } as object
    const put = (topic: string) => h.$transact([h.lesson.put({ course: 'math', no: 2, topic })], { token: 'once' })
    await put('x').run(again)
    await expect(put('y').run(again)).rejects.toMatchObject({ code: 'write.token' })
  })

  it('a deadline may have any length, and a deadline beyond the maximum of timers has no effect', async () => {
    const g = await openSchool()
    for (const deadlineMs of [Number.POSITIVE_INFINITY, 5e9, 999.5])
      expect(await g.student.get('x').run({ deadlineMs })).toMatchObject({ value: undefined, requests: 1 })
  })

  it('a store with only item reads and transactions is sufficient for a call', async () => {
    for (const store of [{ getItem() {} }, { transactWriteItems() {} }])
      await expect(open(school, store as never)).rejects.toMatchObject({ code: 'open.store' })
  })

  it('a call rejects a signal that is not an AbortSignal, for example an AbortController', async () => {
    const g = await openSchool()
    for (const signal of [new AbortController(), 'now', { aborted: false }])
      await expect(g.student.get('x').run({ signal: signal as never })).rejects.toMatchObject({
        code: 'call.argument',
        message: 'signal: the value is not an AbortSignal; give the signal of an AbortController.',
      })
  })

  it('an aborted call rejects with the reason of its signal, although the store has its own error', async () => {
    const ending = new AbortController()
    const deaf = wrap(memory(), async (operation, request, options, send) => {
      if (operation !== 'getItem' || !options?.abortSignal) return send(request, options)
      ending.abort(reason)
      throw Object.assign(new Error('Request aborted'), { name: 'AbortError' })
    })
    const reason = new Error('enough')
    const g = await openSchool(deaf)
    await expect(g.student.get('x').run({ signal: ending.signal })).rejects.toBe(reason)
  })

  it('a call ends by its signal and by its deadline', async () => {
    const slow = wrap(memory(), async (operation, request, options, send) => {
      if (operation === 'query') await new Promise(resolve => setTimeout(resolve, 30))
      return send(request, options)
    })
    const g = await openSchool(slow)
    const reason = new Error('enough')
    await expect(
      g.lesson.by
        .course('math')
        .all()
        .run({ signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason)
    const timeout = AbortSignal.timeout(1)
    await expect(g.student.by.skill({ skills: 'go' }).all().run({ signal: timeout })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    await expect(
      g.student.by
        .skill({ skills: 'go' })
        .all()
        .run({ deadlineMs: 1, caps: { requests: 99 } }),
    ).rejects.toMatchObject({ code: 'call.deadline' })
  })

  it('one listener receives the start and the end of a call and of its requests', async () => {
    const log: string[] = []
    const listener = ({ kind, name }: TraceEvent) => {
      log.push(`${kind} ${name}`)
      return ({ error, units }: { error?: unknown; units?: number }) => {
        log.push(`${name} ${error === undefined ? units : (error as Error).name}`)
      }
    }
    const g = await openSchool(memory(), { listener })
    await g.lesson.put({ course: 'math', no: 1, topic: 'x' })
    await g.student.create({ id: 's1', name: 'Tom' })
    await g.student.create({ id: 's1', name: 'Tom' }).catch(() => undefined)
    expect(log).toEqual([
      'call lesson.put',
      'request putItem',
      'putItem 1',
      'lesson.put 1',
      'call student.create',
      'request putItem',
      'putItem 2',
      'student.create 2',
      'call student.create',
      'request putItem',
      'putItem ConditionalCheckFailedException',
      'student.create GraphError',
    ])
  })

  it('a call resolves with an async listener, which does not receive the end', async () => {
    const begun: string[] = []
    const listener = (async ({ name }: TraceEvent) => begun.push(name)) as unknown as TraceListener
    const g = await openSchool(memory(), { listener })
    await g.lesson.put({ course: 'math', no: 1, topic: 'x' })
    expect(await g.lesson.exists({ course: 'math', no: 1 })).toBe(true)
    expect(begun).toEqual(['lesson.put', 'putItem', 'lesson.exists', 'getItem'])
  })

  it('a listener receives the input and the consumed units of each request', async () => {
    const begun: TraceEvent[] = []
    const units: (number | undefined)[] = []
    const listener = (each: TraceEvent) => {
      begun.push(each)
      return (ended: { units?: number }) => void units.push(ended.units)
    }
    const g = await openSchool(memory(), { listener })
    await g.student.create({ id: 's1', name: 'Tom', email: 'tom@x' })
    begun.length = units.length = 0
    await g.student.update('s1', { email: 'tim@x' })
    const [call, read, write] = begun
    expect(call).toEqual({ kind: 'call', name: 'student.update', table: 'school' })
    expect(read).toMatchObject({ name: 'getItem', input: { TableName: 'school', Key: g.student.keyOf('s1') } })
    expect(write).toMatchObject({ name: 'transactWriteItems', input: { TransactItems: expect.any(Array) } })
    expect([read?.call, write?.call]).toEqual([call, call])
    expect(units).toEqual([1, 7, 8])
  })

  it('a listener receives the error of the store, also for a deleted table', async () => {
    const store = memory()
    const refusal = Object.assign(new Error('not for you'), { name: 'AccessDeniedException' })
    const g = await openSchool(
      wrap(store, async (operation, request, options, send) => {
        if (operation === 'putItem' && Object.hasOwn((request as { Item: object }).Item, 'topic')) throw refusal
        return send(request, options)
      }),
    )
    const refused = {
      code: 'store.refused',
      message: expect.stringMatching(/AccessDenied.*not for you/),
      cause: refusal,
    }
    await expect(g.lesson.put({ course: 'math', no: 1, topic: 'x' })).rejects.toMatchObject(refused)
    await store.deleteTable({ TableName: 'school' })
    await expect(g.student.get('s1')).rejects.toMatchObject({ code: 'store.table' })
  })

  it('a call ends by its signal or by its deadline, whichever comes first', async () => {
    const slow = wrap(memory(), async (operation, request, options, send) => {
      if (operation !== 'query') return send(request, options)
      return new Promise((_, reject) => {
        options?.abortSignal?.addEventListener('abort', () => reject(new Error('aborted')))
      })
    })
    const g = await openSchool(slow)
    const all = () => g.lesson.by.course('math').all()
    const reason = new Error('enough')
    const ending = new AbortController()
    const late = all().run({ signal: ending.signal, deadlineMs: 1 })
    await expect(late).rejects.toMatchObject({ code: 'call.deadline' })
    const ended = all().run({ signal: ending.signal, deadlineMs: 60_000 })
    setImmediate(() => ending.abort(reason))
    await expect(ended).rejects.toBe(reason)
  })

  it('a call exposes its physical data: keys, items and requests', async () => {
    const g = await openSchool()
    expect(g.student.keyOf('s1')).toEqual({ PK: { S: 'student#s1' }, SK: { S: '#' } })
    expect(g.takes.keyOf({ student: 's1', course: 'math' })).toEqual({
      PK: { S: 'student#s1' },
      SK: { S: 'takes#math' },
    })
    expect(g.lesson.decode({ PK: { S: 'course#math' }, SK: { S: 'lesson#007' }, topic: { S: 'x' } })).toEqual({
      course: 'math',
      no: 7,
      topic: 'x',
    })
    expect(g.lesson.by.course('math').all().plan().steps[0]?.request.input).toMatchObject({ TableName: 'school' })
  })
})
