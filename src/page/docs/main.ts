// The script of /docs: search, and the current place in the contents. The page can be read without it.
import { markCurrent } from './mark-current.ts'
import { readEntries } from './read-entries.ts'
import { setUpSearch } from './set-up-search.ts'

const contents = document.querySelector<HTMLElement>('#contents')
const main = document.querySelector('main')
if (contents && main) {
  setUpSearch(contents, readEntries(main))
  markCurrent(contents, main)
  // The contents are a popover only on narrow screens. They close when a link is followed or the screen gets wider.
  const wide = matchMedia('(min-width: 60rem)')
  const close = () => {
    if ('popover' in contents && contents.matches(':popover-open')) contents.hidePopover()
  }
  wide.addEventListener('change', close)
  contents.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) close()
  })
}
