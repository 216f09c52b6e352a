import type { Edit } from '../../core/changes/edits/edit.ts'
import type { Replacement } from '../../core/changes/edits/locate-replacements.ts'
import { type NamedEdit, parsePatch } from '../../core/changes/edits/parse-patch.ts'
import { type Json, numberField, recordList, textField, textList } from '../client/json.ts'

const fileFields = ['file_path', 'filePath', 'notebook_path', 'path']
const oldTextFields = ['old_string', 'oldString', 'old_str']
const newTextFields = ['new_string', 'newString', 'new_str']
const contentFields = ['content', 'file_text']
const patchFields = ['command', 'input', 'patch', 'patchText']

/** The edits that the arguments of a tool name, each file once: hosts differ in the names of the fields alone. */
export function namedEdits(args: Json): NamedEdit[] {
  // One call may change several files.
  const several = recordList(args, 'replacements').flatMap(namedEdits)
  const edit = editOf(args)
  const files = [...textsIn(args, fileFields), ...textList(args, 'files')]
  const named = [...files.map((file) => ({ file, edit })), ...several]
  return [...new Map(named.map((one) => [one.file, joined(named, one)])).values()]
}

/** The edits in a patch among the arguments of a tool. A tool such as `Bash` has arguments with the same names. */
export function patchEdits(args: Json | string): NamedEdit[] {
  if (typeof args === 'string') return parsePatch(args)
  return textsIn(args, patchFields).flatMap(parsePatch)
}

/** The replacements in one file together. */
function joined(all: readonly NamedEdit[], one: NamedEdit): NamedEdit {
  const edits = all.filter(({ file }) => file === one.file).map(({ edit }) => edit)
  const replacements = edits.flatMap((edit) => (edit.kind === 'replace' ? edit.replacements : []))
  return edits.every(({ kind }) => kind === 'replace') ? { ...one, edit: { kind: 'replace', replacements } } : one
}

function editOf(args: Json): Edit {
  const parts = recordList(args, 'edits')
  const replacements = (parts.length > 0 ? parts : [args]).flatMap((part) => replacementOf(part) ?? [])
  const [content] = textsIn(args, contentFields)
  const whole = content ?? replacements.find(({ oldText }) => oldText === '')?.newText
  if (whole !== undefined) return { kind: 'write', text: whole }
  return replacements.length === Math.max(parts.length, 1) ? { kind: 'replace', replacements } : { kind: 'unknown' }
}

function replacementOf(part: Json): Replacement | undefined {
  const [oldText] = textsIn(part, oldTextFields)
  const [newText] = textsIn(part, newTextFields)
  if (oldText === undefined || newText === undefined) return undefined
  const all = part.replace_all === true || part.replaceAll === true || part.allow_multiple === true
  return { oldText, newText, all: all || (numberField(part, 'expected_replacements') ?? 1) > 1 }
}

function textsIn(from: Json, fields: readonly string[]): string[] {
  return fields.map((field) => textField(from, field)).filter((text) => text !== undefined)
}
