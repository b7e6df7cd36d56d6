import { date, edge, graph, integer, list, node, oneOf, string } from 'edgewise'

/** Ids of any data set of the benchmark: 64-bit numbers below 2^53. */
const id = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

const person = node(
  'person',
  {
    id,
    firstName: string(),
    lastName: string(),
    gender: oneOf('female', 'male'),
    birthday: date(),
    created: date(),
    locationIp: string(),
    browser: string(),
  },
  // IC1 looks for a first name: it reads the few people who have it, not all within three hops.
  { id: 'id', by: { firstName: { in: ['firstName'], order: ['lastName'] } } },
)
const place = node(
  'place',
  { id, name: string(), kind: oneOf('city', 'country', 'continent') },
  { id: 'id', by: { name: { in: ['name'] } } },
)
const organisation = node('organisation', { id, name: string(), kind: oneOf('university', 'company') }, { id: 'id' })
const tagClass = node('tagClass', { id, name: string() }, { id: 'id', by: { name: { in: ['name'] } } })
const tag = node('tag', { id, name: string() }, { id: 'id' })
const forum = node('forum', { id, title: string(), created: date() }, { id: 'id' })
/** Posts and comments are messages: they share their ids, authors, likes and tags. */
const message = node(
  'message',
  {
    id,
    kind: oneOf('post', 'comment').immutable(),
    created: date().immutable(),
    content: string().immutable(),
    tags: list(id).immutable(),
    /** The message that a comment replies to. */
    parent: id.optional().immutable(),
    browser: string(),
  },
  { id: 'id' },
)

const knows = edge('knows', { one: person, other: person }, { since: date() }, { undirected: true })
const livesIn = edge('livesIn', { person, city: place }, {}, { one: 'person' })
const partOf = edge('partOf', { part: place, whole: place }, {}, { one: 'part' })
const locatedIn = edge('locatedIn', { organisation, place }, {}, { one: 'organisation' })
const studyAt = edge('studyAt', { person, university: organisation }, { classYear: integer() })
const workAt = edge(
  'workAt',
  { person, company: organisation },
  { from: integer({ min: 0, max: 9999 }) },
  { by: { person: { order: ['from'] } } },
)
const hasInterest = edge('hasInterest', { person, tag })
const hasType = edge('hasType', { tag, tagClass }, {}, { one: 'tag' })
const subclassOf = edge('subclassOf', { sub: tagClass, parent: tagClass }, {}, { one: 'sub' })

const moderates = edge('moderates', { forum, moderator: person }, {}, { one: 'forum' })
const memberOf = edge('memberOf', { person, forum }, { joined: date() })
const contains = edge('contains', { forum, post: message }, {}, { one: 'post' })

/** The messages of an author by time. A message never changes, so the edge carries copies, and no list reads messages. */
const wrote = edge(
  'wrote',
  { author: person, message },
  { created: date() },
  {
    one: 'message',
    carry: {
      kind: 'message.kind',
      content: 'message.content',
      tags: 'message.tags',
      parent: 'message.parent',
    },
    by: { author: { order: ['created'] } },
  },
)
const replyOf = edge(
  'replyOf',
  { reply: message, parent: message },
  { created: date() },
  { one: 'reply', carry: { content: 'reply.content' }, by: { parent: { order: ['created'] } } },
)
/** The post that a conversation began with, itself included: one read, however deep a comment is. */
const inThread = edge('inThread', { message, post: message }, {}, { one: 'message' })
const likes = edge('likes', { person, message }, { created: date() }, { by: { message: { order: ['created'] } } })
const hasTag = edge('hasTag', { message, tag })

export const network = graph('snb', [
  person,
  place,
  organisation,
  tagClass,
  tag,
  forum,
  message,
  knows,
  livesIn,
  partOf,
  locatedIn,
  studyAt,
  workAt,
  hasInterest,
  hasType,
  subclassOf,
  moderates,
  memberOf,
  contains,
  wrote,
  replyOf,
  inThread,
  likes,
  hasTag,
])
