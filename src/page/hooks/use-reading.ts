import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** After this long without movement the pointer no longer counts as reading, in ms. */
const restMs = 20_000

/** Whether somebody reads a list inside the element: the pointer moves there, or the focus is there. */
export function useReading(ref: RefObject<HTMLElement | null>): boolean {
  const [isReading, setIsReading] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isPointerThere = false
    const hasKeyboard = () => element.querySelector('.holds :focus-visible:not(input, select)') !== null
    const stop = () => {
      clearTimeout(timer)
      isPointerThere = false
      setIsReading(hasKeyboard())
    }
    const onPointer = ({ pointerType, target }: PointerEvent) => {
      if (pointerType !== 'mouse') return
      if (!(target instanceof Element && target.closest('.holds'))) return stop()
      clearTimeout(timer)
      timer = setTimeout(stop, restMs)
      isPointerThere = true
      setIsReading(true)
    }
    const onFocus = () => setIsReading((before) => before || hasKeyboard())
    // The focus moves to the next element only after this event.
    const onBlur = () => setTimeout(() => setIsReading(isPointerThere || hasKeyboard()))
    element.addEventListener('pointermove', onPointer)
    element.addEventListener('pointerleave', stop)
    element.addEventListener('focusin', onFocus)
    element.addEventListener('focusout', onBlur)
    return () => {
      clearTimeout(timer)
      element.removeEventListener('pointermove', onPointer)
      element.removeEventListener('pointerleave', stop)
      element.removeEventListener('focusin', onFocus)
      element.removeEventListener('focusout', onBlur)
    }
  }, [ref])
  return isReading
}
