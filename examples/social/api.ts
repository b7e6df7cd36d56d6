import { etagOf } from 'edgewise'
import { type ApiAnswer, type ApiRequest, answer, bodyOf, failureAnswer, Refusal } from './exchange.js'
import type { Social } from './graph.js'
import { type Asked, feedOf, leave, onceOnly, postsOf, publish } from './network.js'

type Names<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Act<Name extends string> = (
  g: Social,
  given: Readonly<Record<Name, string>>,
  request: ApiRequest,
) => Promise<ApiAnswer>

interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly act: Act<string>
}

function route<const P extends string>(method: string, path: P, act: Act<Names<P>>): Route {
  return { method, pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`), act: act as Act<string> }
}

const LIMIT_MAX = 100
const LIMIT_UNLESS_SAID = '20'

function pageOf({ query: { limit = LIMIT_UNLESS_SAID, cursor } }: ApiRequest): Asked {
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > LIMIT_MAX)
    throw new Refusal(400, 'request.limit', `give a limit from 1 to ${LIMIT_MAX}`)
  return { limit: Number(limit), cursor }
}

/** Returns the result, or 404 if nothing was found. */
function found<T>(row: T | undefined, what: string): T {
  if (row === undefined) throw new Refusal(404, 'absent', `there is no ${what}`)
  return row
}

const routes: readonly Route[] = [
  route('POST', '/users', async (g, _, request) => {
    const user = await g.user.create(bodyOf(request, ['handle', 'email', 'name']) as never).returning('new')
    return answer(201, user, { location: `/users/${user.handle}` })
  }),
  route('GET', '/users/{handle}', async (g, { handle }) => {
    const user = found(await g.user.get(handle), `user ${handle}`)
    return answer(200, user, { etag: `"${etagOf(user)}"` })
  }),
  route('PATCH', '/users/{handle}', async (g, { handle }, request) => {
    const update = g.user.update(handle, bodyOf(request, ['email', 'name']) as never)
    const etag = request.headers['if-match']?.replaceAll('"', '')
    return answer(200, await (etag === undefined ? update : update.ifEtag(etag)).returning('new'))
  }),
  route('DELETE', '/users/{handle}', async (g, { handle }) => {
    await leave(g, handle)
    return answer(204)
  }),
  route('GET', '/users/{handle}/posts', async (g, { handle }, request) =>
    answer(200, await postsOf(g, handle, pageOf(request))),
  ),
  route('GET', '/users/{handle}/feed', async (g, { handle }, request) =>
    answer(200, await feedOf(g, handle, pageOf(request))),
  ),
  route('GET', '/users/{handle}/following', async (g, { handle }, request) =>
    answer(200, await g.follow.by.follower(handle).page(pageOf(request))),
  ),
  route('GET', '/users/{handle}/followers', async (g, { handle }, request) =>
    answer(200, await g.follow.by.followee(handle).reverse().page(pageOf(request))),
  ),
  route('PUT', '/users/{handle}/following/{other}', async (g, { handle, other }) => {
    if (handle === other) throw new Refusal(400, 'request.self', 'nobody follows themselves')
    await onceOnly(g.follow.create({ follower: handle, followee: other }))
    return answer(204)
  }),
  route('DELETE', '/users/{handle}/following/{other}', async (g, { handle, other }) => {
    await g.follow.delete({ follower: handle, followee: other })
    return answer(204)
  }),
  route('PUT', '/posts/{id}', async (g, { id }, request) => {
    await publish(g, { ...bodyOf(request, ['author', 'text']), id } as never)
    return answer(201, await g.post.get(id, { consistent: true }))
  }),
  route('GET', '/posts/{id}', async (g, { id }) => answer(200, found(await g.post.get(id), `post ${id}`))),
  route('DELETE', '/posts/{id}', async (g, { id }) => {
    await g.post.delete(id)
    return answer(204)
  }),
  route('GET', '/posts/{id}/likes', async (g, { id }, request) =>
    answer(200, await g.like.by.post(id).reverse().page(pageOf(request))),
  ),
  route('PUT', '/posts/{id}/likes/{handle}', async (g, { id, handle }) => {
    await onceOnly(g.like.create({ user: handle, post: id }))
    return answer(204)
  }),
  route('DELETE', '/posts/{id}/likes/{handle}', async (g, { id, handle }) => {
    await g.like.delete({ user: handle, post: id })
    return answer(204)
  }),
]

/** Handles any request and returns the response or an error. */
export async function answerTo(g: Social, request: ApiRequest, log = console.error): Promise<ApiAnswer> {
  try {
    const matching = routes.flatMap(each => {
      const groups = each.pattern.exec(request.path)
      return groups ? [{ ...each, given: groups.groups ?? {} }] : []
    })
    if (matching.length === 0) throw new Refusal(404, 'request.path', `there is nothing at ${request.path}`)
    const chosen = matching.find(({ method }) => method === request.method)
    if (!chosen) throw new Refusal(405, 'request.method', `give one of ${matching.map(({ method }) => method)}`)
    return await chosen.act(g, decoded(chosen.given), request)
  } catch (error) {
    return failureAnswer(error, log)
  }
}

function decoded(given: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(given).map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch {
    throw new Refusal(400, 'request.path', 'the path is not well encoded')
  }
}
