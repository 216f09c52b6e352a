// Loaded into a program before its own code (`--import`): its clock is `DATE_SHIFT_MS` ahead of that of the machine.
const shift = Number(process.env.DATE_SHIFT_MS)
const RealDate = Date

class ShiftedDate extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + shift] : given))
  }

  static now() {
    return RealDate.now() + shift
  }
}

globalThis.Date = ShiftedDate
