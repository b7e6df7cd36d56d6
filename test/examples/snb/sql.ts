import Database from 'better-sqlite3'
import type { Network } from '../../../examples/snb/generate.js'
import type { Answers } from './model.js'

const DAY_MS = 86_400_000

/** The friends of $person, and everybody within some steps of $person by the least number of steps. */
const FRIENDS = 'friend as (select other id from friendship where one = $person)'
const within = (steps: number) => `
  around(id, steps) as (
    select $person, 0
    union select other, steps + 1 from around join friendship on one = around.id where steps < ${steps}
  ),
  near as (select id, min(steps) steps from around group by id having min(steps) > 0)`

const AUTHOR = 'p.firstName, p.lastName'

/** The reads as SQL. Columns that are dates or truth values come back as numbers, so the caller turns them round. */
const SQL = {
  IS1: `select p.firstName, p.lastName, p.birthday, p.locationIp, p.browser, l.city, p.gender, p.created
    from person p join livesIn l on l.person = p.id where p.id = $person`,
  IS2: `with recursive chain(message, at) as (
      select message, message from (select message from wrote where author = $person order by created desc, message desc limit 10)
      union all select chain.message, m.parent from chain join message m on m.id = chain.at where m.parent is not null
    )
    select m.id message, m.content, m.created, chain.at post, w.author, ${AUTHOR}
    from chain join message root on root.id = chain.at and root.parent is null
    join message m on m.id = chain.message join wrote w on w.message = chain.at join person p on p.id = w.author
    order by m.created desc, m.id desc`,
  IS3: `select p.id friend, ${AUTHOR}, f.since from friendship f join person p on p.id = f.other
    where f.one = $person order by f.since desc, p.id`,
  IS4: 'select created, content from message where id = $message',
  IS5: `select p.id author, ${AUTHOR} from wrote w join person p on p.id = w.author where w.message = $message`,
  IS6: `with recursive up(id) as (
      select $message union all select m.parent from up join message m on m.id = up.id where m.parent is not null
    )
    select f.id forum, f.title, p.id moderator, ${AUTHOR} from up join contains c on c.post = up.id
    join forum f on f.id = c.forum join moderates o on o.forum = f.id join person p on p.id = o.moderator`,
  IS7: `select r.id comment, r.content, r.created, p.id author, ${AUTHOR},
      exists (select 1 from friendship k join wrote o on o.message = $message where k.one = w.author and k.other = o.author) knows
    from message r join wrote w on w.message = r.id join person p on p.id = w.author
    where r.parent = $message order by r.created desc, p.id`,
  IC1: `with recursive ${within(3)}
    select p.id person, p.lastName, near.steps distance, c.name city from near join person p on p.id = near.id
    join livesIn l on l.person = p.id join place c on c.id = l.city
    where p.firstName = $firstName order by distance, p.lastName, p.id limit 20`,
  IC2: `with ${FRIENDS} select w.author, ${AUTHOR}, m.id message, m.content, m.created
    from friend join wrote w on w.author = friend.id join message m on m.id = w.message join person p on p.id = w.author
    where m.created <= $until order by m.created desc, m.id limit 20`,
  IC4: `with ${FRIENDS}, post as (
      select m.id, m.created from friend join wrote w on w.author = friend.id
      join message m on m.id = w.message and m.kind = 'post' where m.created < $end
    )
    select t.name tag, count(*) posts from post join hasTag h on h.message = post.id join tag t on t.id = h.tag
    where post.created >= $from
      and t.id not in (select o.tag from post old join hasTag o on o.message = old.id where old.created < $from)
    group by t.id order by posts desc, t.name limit 10`,
  IC7: `with liked as (
      select k.person, k.created, k.message, row_number() over (partition by k.person order by k.created desc, k.message) place
      from wrote w join likes k on k.message = w.message where w.author = $person
    )
    select p.id person, ${AUTHOR}, k.created liked, m.id message, m.content, cast((k.created - m.created) / 60000 as integer) minutes,
      not exists (select 1 from friendship f where f.one = $person and f.other = p.id) isNew
    from liked k join person p on p.id = k.person join message m on m.id = k.message
    where k.place = 1 order by k.created desc, p.id limit 20`,
  IC8: `select a.author, ${AUTHOR}, r.id comment, r.content, r.created
    from wrote w join message r on r.parent = w.message join wrote a on a.message = r.id join person p on p.id = a.author
    where w.author = $person order by r.created desc, r.id limit 20`,
  IC9: `with recursive ${within(2)} select w.author, ${AUTHOR}, m.id message, m.content, m.created
    from near join wrote w on w.author = near.id join message m on m.id = w.message join person p on p.id = w.author
    where m.created < $before order by m.created desc, m.id limit 20`,
  IC10: `with recursive ${within(2)}, born as (
      select p.*, cast(strftime('%m', p.birthday / 1000, 'unixepoch') as integer) month,
        cast(strftime('%d', p.birthday / 1000, 'unixepoch') as integer) day
      from near join person p on p.id = near.id where near.steps = 2
    )
    select p.id, p.firstName, p.lastName, p.gender, (
        select coalesce(sum(case when exists (
          select 1 from hasTag h join hasInterest i on i.tag = h.tag where h.message = m.id and i.person = $person
        ) then 1 else -1 end), 0)
        from wrote w join message m on m.id = w.message and m.kind = 'post' where w.author = p.id
      ) score, c.name city
    from born p join livesIn l on l.person = p.id join place c on c.id = l.city
    where (p.month = $month and p.day >= 21) or (p.month = $month % 12 + 1 and p.day < 22)
    order by score desc, p.id limit 10`,
  IC11: `with recursive ${within(2)}
    select p.id person, ${AUTHOR}, o.name company, j."from" from near join workAt j on j.person = near.id
    join person p on p.id = near.id join organisation o on o.id = j.company
    join locatedIn l on l.organisation = o.id join place c on c.id = l.place
    where c.name = $country and j."from" < $before order by j."from", p.id, o.name desc limit 10`,
  IC12: `with recursive ${FRIENDS}, class(id) as (
      select id from tagClass where name = $tagClass union select s.sub from class join subclassOf s on s.parent = class.id
    ),
    reply as (
      select w.author, m.id, h.tag from friend join wrote w on w.author = friend.id join message m on m.id = w.message
      join message post on post.id = m.parent and post.kind = 'post' join hasTag h on h.message = post.id
      join hasType y on y.tag = h.tag join class on class.id = y.tagClass
    )
    select p.id friend, ${AUTHOR}, group_concat(distinct t.name) tags, count(distinct reply.id) replies
    from reply join person p on p.id = reply.author join tag t on t.id = reply.tag
    group by p.id order by replies desc, p.id limit 20`,
  IC13: `with recursive around(id, steps) as (
      select $person, 0 union select other, steps + 1 from around join friendship on one = around.id where steps < 12
    )
    select min(steps) steps from around where id = $other`,
}

const STUDIES = `select o.name, c.name place, s.classYear year from studyAt s join organisation o on o.id = s.university
  join locatedIn l on l.organisation = o.id join place c on c.id = l.place where s.person = ?`
const JOBS = `select o.name, c.name place, j."from" year from workAt j join organisation o on o.id = j.company
  join locatedIn l on l.organisation = o.id join place c on c.id = l.place where j.person = ? order by j."from", o.name`

type Columns = Record<string, unknown>

/** A second witness: the same rows in tables, and the reads as SQL. */
export function sqlOf(rows: Network): Answers {
  const database = new Database(':memory:')
  for (const [name, all] of Object.entries(rows)) createTable(database, name, all)
  database.exec(`create table friendship as
    select one, other, since from knows union all select other, one, since from knows;
    create index byOne on friendship(one, other); create index byAuthor on wrote(author, created);
    create index wroteBy on wrote(message); create unique index messages on message(id); create index byParent on message(parent);
    create unique index people on person(id); create index tags on hasTag(message); create index likesOf on likes(message)`)
  const prepared = new Map(Object.entries(SQL).map(([name, text]) => [name, database.prepare(text)]))
  const list = (name: keyof typeof SQL, given: object): Columns[] => {
    const bound = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, plain(value)]))
    return (prepared.get(name)!.all(bound) as Columns[]).map(read)
  }
  const [studies, jobs] = [database.prepare(STUDIES), database.prepare(JOBS)]
  const lists = <Name extends keyof typeof SQL>(name: Name) => [name, (given: object) => list(name, given)] as const
  const firsts = <Name extends keyof typeof SQL>(name: Name) => [name, (given: object) => list(name, given)[0]] as const
  const simple = Object.fromEntries<(given: never) => unknown>([
    ...(['IS1', 'IS4', 'IS5', 'IS6'] as const).map(firsts),
    ...(['IS2', 'IS3', 'IS7', 'IC2', 'IC7', 'IC8', 'IC9', 'IC10', 'IC11'] as const).map(lists),
  ])
  return {
    ...(simple as unknown as Answers),
    IC1: given =>
      list('IC1', given).map(each => ({ ...each, studies: studies.all(each.person), jobs: jobs.all(each.person) })),
    IC4: ({ person, from, days }) => list('IC4', { person, from, end: new Date(from.getTime() + days * DAY_MS) }),
    IC12: given => list('IC12', given).map(each => ({ ...each, tags: String(each.tags).split(',').sort() })),
    IC13: given => list('IC13', given)[0]?.steps ?? -1,
  }
}

function createTable(database: Database.Database, name: string, rows: readonly object[]): void {
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))].filter(column => column !== 'tags')
  const quoted = columns.map(column => `"${column}"`).join(', ')
  database.exec(`create table ${name} (${quoted})`)
  const insert = database.prepare(`insert into ${name} values (${columns.map(() => '?').join(', ')})`)
  database.transaction(() => {
    for (const row of rows) insert.run(columns.map(column => plain((row as Columns)[column])))
  })()
}

const plain = (value: unknown): unknown => (value instanceof Date ? value.getTime() : (value ?? null))

const DATES = new Set(['birthday', 'created', 'since', 'liked'])
const TRUTHS = new Set(['knows', 'isNew'])

const read = (row: Columns): Columns =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      DATES.has(name) ? new Date(value as number) : TRUTHS.has(name) ? value === 1 : value,
    ]),
  )
