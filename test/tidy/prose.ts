import type { TextFile } from './files.js'
import { parse, type Syntax, walk } from './syntax.js'

/** A piece of prose in a file: a paragraph of a document, a comment, the title of a test, a message. */
export interface Prose {
  readonly path: string
  readonly line: number
  readonly kind: 'document' | 'comment' | 'title' | 'message'
  readonly text: string
}

/** Phrases that the writing guide replaces, each with what to write instead. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tell|tells|told|telling)\b/i, 'say, state, report or return'],
  [/\bmend(?:s|ed|ing)?\b/i, 'repair or fix'],
  [/\breckon(?:s|ed|ing)?\b/i, 'estimate, compute or assume'],
  [/\banew\b/i, 'again'],
  [/\bfor good\b/i, 'permanently'],
  [/\bfor ever\b/i, 'indefinitely'],
  [/\bof which\b/i, 'two sentences'],
  [/\b(?:who|what|where)ever\b/i, 'a noun'],
  [/\bthat there (?:is|are)\b/i, 'existing'],
  [/(?<!\bthere )\b(?:is|are) none\b/i, 'does not exist'],
  [/(?<!\bthere )\bis no (?!longer\b|more\b|way\b)\w/i, '"is not a"'],
  [/\bunless said\b/i, 'by default'],
  [/\bas of (?:nodes|edges)\b/i, 'like those of'],
  [/\blies\b/i, 'is stored'],
  [/\bbrings up\b/i, 'updates'],
  [/\bsuch (?!as\b)/i, 'this, or the noun'],
  [/\bby (?:itself|themselves)\b/i, 'on its own, alone or automatically'],
  [/\bbeside\b/i, 'next to, or concurrently with'],
  [/\ba time of (?:its|their) own\b/i, 'a separate time'],
  [/\bwhat is there\b/i, 'the current value'],
  [/\bwhat cannot be(?: is\b| are\b| *[.,;:|])/i, 'invalid input'],
  [/\bothers (?:broke|changed?|create|did|made|write|wrote)\b/i, 'other writers or other calls'],
  [/\b(?:answers? (?:gets|got|is|was) lost|lost answers?)\b/i, 'a lost response'],
  [
    /\bfrom before\b(?! (?:an?|the|this|that|its|their)\b| \d|\.| [\w `]* (?:became|was|were)\b)/i,
    'legacy, earlier or older',
  ],
  [/\bmay go(?= *(?:[.,;:|]|$))/i, 'can be lost'],
  [/\bit has [^.;]* twice\b/i, 'duplicate, with the name of the attribute'],
  [/\bgive another(?= *(?:[.,;:'"`]|$))/i, 'the noun after "another"'],
  [/\bthat is taken(?= *(?:[.,;:|]|$))/i, 'is reserved or is already used'],
  [/\bnothing answers\b/i, 'cannot connect'],
  [/\banother call keeps\b/i, 'the reason as a sentence'],
  [/\bnot (?:as|what) it should be\b/i, 'inconsistent, wrong or invalid'],
  [/^\s*(?:An? [a-z]+(?:, [a-z ]+)?|To begin):\s*$/, 'a heading, such as "Table" or "Getting started"'],
  [/\bhanded on\b/i, 'passed to'],
  [/(?<!\bthe )\banswers with\b/i, 'returns or resolves to'],
  [/\btak(?:en|es) so long\b(?! as\b| that\b)/i, 'the time, with its unit'],
  [/\bat most so often\b/i, 'at most this many times'],
]

/** Beginnings of titles that need the title of their group: a reader of a failure list does not see who "is rejected". */
const TITLE_WITHOUT_SUBJECT = /^['"`](?:is|are|was|were|it|its|what|that|which|of|and|also)\b/i

const TEST_FUNCTIONS = new Set(['it', 'test', 'describe'])

/** The banned phrases of a file's prose: where each stands, and what replaces it. */
export function bannedPhrases(file: TextFile): string[] {
  return proseOf(file).flatMap(({ path, line, kind, text }) =>
    BANNED.flatMap(([phrase, instead]) => {
      const found = phrase.exec(text)
      return found
        ? [`${path}:${line} ${kind} has "${found[0].trim()}"; write ${instead}: ${excerpt(text, found.index)}`]
        : []
    }),
  )
}

/** Titles of tests that are no full sentence, because they begin with a verb or a pronoun. */
export function titlesWithoutSubject(file: TextFile): string[] {
  return file.path.startsWith('src/') || file.path.endsWith('.md')
    ? []
    : titles(file, parse(file))
        .filter(({ text }) => TITLE_WITHOUT_SUBJECT.test(text))
        .map(({ path, line, text }) => `${path}:${line} title has no subject; begin with a noun: ${excerpt(text, 0)}`)
}

/** The prose of a file, without code. */
function proseOf(file: TextFile): Prose[] {
  return file.path.endsWith('.md') ? documentProse(file) : codeProse(file)
}

/** Paragraphs, list items and table rows of a document, without code blocks and inline code. */
function documentProse({ path, text }: TextFile): Prose[] {
  let isCode = false
  return text.split('\n').flatMap((content, at): Prose[] => {
    if (/^\s*(?:`{3,}|~{3,})/.test(content)) {
      isCode = !isCode
      return []
    }
    const prose = isCode ? '' : withoutCode(content)
    return prose.trim() ? [{ path, line: at + 1, kind: 'document', text: prose }] : []
  })
}

function codeProse(file: TextFile): Prose[] {
  const syntax = parse(file)
  const comments = syntax.comments.map(
    ({ value, start }): Prose => ({
      path: file.path,
      line: syntax.lineOf(start),
      kind: 'comment',
      text: withoutCode(value.replace(/\n\s*\*?/g, ' ')),
    }),
  )
  return [...comments, ...(file.path.startsWith('src/') ? messages(file, syntax) : titles(file, syntax))]
}

/** Titles of tests. */
function titles({ path, text }: TextFile, { program, lineOf }: Syntax): Prose[] {
  const found: Prose[] = []
  walk(program, node => {
    if (node.type !== 'CallExpression') return
    const { callee } = node
    const called = callee.type === 'CallExpression' ? callee.callee : callee
    const name = called.type === 'MemberExpression' ? called.object : called
    const title = node.arguments[0]
    if (name.type !== 'Identifier' || !TEST_FUNCTIONS.has(name.name) || !title) return
    if (title.type !== 'Literal' && title.type !== 'TemplateLiteral') return
    found.push({
      path,
      line: lineOf(title.start),
      kind: 'title',
      text: withoutCode(text.slice(title.start, title.end)),
    })
  })
  return found
}

/** Texts of several words: messages, help, headings. */
function messages({ path }: TextFile, { program, lineOf }: Syntax): Prose[] {
  const found: Prose[] = []
  const add = (text: string, start: number) => {
    if (/[a-z]+ [a-z]+/i.test(text)) found.push({ path, line: lineOf(start), kind: 'message', text: withoutCode(text) })
  }
  walk(program, node => {
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.value, node.start)
    if (node.type === 'TemplateElement') add(node.value.raw, node.start)
  })
  return found
}

/** Code in a sentence is not prose; neither are addresses of links. */
function withoutCode(text: string): string {
  return text
    .replace(/`[^`]*`/g, '`code`')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/\{@\w+ [^}]*\}/g, 'link')
}

function excerpt(text: string, at: number): string {
  return text.slice(Math.max(0, at - 30), at + 50).trim()
}

const SENTENCE_WORDS_MAX = 25
const CELL_CHARACTERS_MAX = 200

/** Sentences of a document that are too long, and cells of its tables that are. */
export function longSentences(file: TextFile): string[] {
  return documentProse(file).flatMap(({ path, line, text }) => {
    const cells = text.trimStart().startsWith('|') ? text.split(/(?<!\\)\|/).map(cell => cell.trim()) : []
    const sentences = (cells.length > 0 ? cells : [text]).flatMap(part => sentencesOf(part, cells.length > 0))
    return [
      ...cells
        .filter(cell => cell.length > CELL_CHARACTERS_MAX)
        .map(cell => `${path}:${line} has a cell of ${cell.length} characters: ${cell.slice(0, 60)}…`),
      ...sentences
        .map(sentence => ({ sentence, words: sentence.split(/\s+/).filter(word => /\w/.test(word)).length }))
        .filter(({ words }) => words > SENTENCE_WORDS_MAX)
        .map(({ sentence, words }) => `${path}:${line} has a sentence of ${words} words: ${sentence.slice(0, 60)}…`),
    ]
  })
}

/** Sentences of a paragraph. A semicolon ends one in a cell of a table, which has short statements. */
function sentencesOf(text: string, isCell: boolean): string[] {
  return text.split(isCell ? /(?<=[.!?;])\s+/ : /(?<=[.!?])\s+/)
}
