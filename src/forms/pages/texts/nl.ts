import type { PageTexts } from './page-texts.js';

export const nl: PageTexts<'nl'> = {
  submit: 'Verzenden',
  choose: 'Maak een keuze …',
  required: 'Vul dit veld in.',
  not_sent: 'Het formulier is niet verzonden',
  thanks_title: 'Hartelijk dank',
  back: 'Terug naar de website',
  closed: 'Dit formulier is gesloten.',

  marked: 'Velden met {mark} zijn verplicht.',
  required_group: '(verplicht)',

  number_range: '{min} tot en met {max}',
  number_min: 'Minimaal {min}',
  number_max: 'Maximaal {max}',
  length_range: { one: '{min} tot {n} teken', other: '{min} tot {n} tekens' },
  length_min: { one: 'Minimaal {n} teken', other: 'Minimaal {n} tekens' },
  length_max: { one: 'Maximaal {n} teken', other: 'Maximaal {n} tekens' },
  file_limit: 'Maximaal {size}',
  files_limit: 'Maximaal {size} per bestand',

  error_title: 'Fout: {name}',
  files_again: 'Bestanden worden niet bewaard. Kies ze opnieuw.',

  required_box: 'Vink dit vakje aan.',
  required_choice: 'Kies een optie.',
  required_file: 'Kies een bestand.',
  email: 'Voer een e-mailadres in, bijvoorbeeld naam@example.com.',
  url: 'Voer een webadres in dat begint met http:// of https://.',
  tel: 'Voer een telefoonnummer in.',
  number: 'Voer een getal in.',
  date: 'Voer een datum in.',
  min: 'Voer een getal in van minimaal {min}.',
  max: 'Voer een getal in van maximaal {max}.',
  too_short: { one: 'Voer minimaal {n} teken in.', other: 'Voer minimaal {n} tekens in.' },
  too_long: { one: 'Voer maximaal {n} teken in.', other: 'Voer maximaal {n} tekens in.' },
  options: 'Kies een van de opties.',
  pattern: 'Voer de waarde in het verwachte formaat in.',
  one_value: 'Voer slechts één waarde in.',
  one_file: 'Kies slechts één bestand.',
  too_many_files: {
    one: 'Kies in het hele formulier maximaal {n} bestand.',
    other: 'Kies in het hele formulier maximaal {n} bestanden.',
  },
  file_too_large: 'Een bestand mag maximaal {size} groot zijn.',
  file_empty: 'Het bestand is leeg.',
  file_type: 'Dit bestandstype wordt niet geaccepteerd. Toegestane typen: {types}.',
  file_program: 'Programma’s en scripts worden niet geaccepteerd.',
  characters: 'De tekst bevat tekens die niet worden geaccepteerd.',
  invalid: 'Deze waarde is niet geldig.',

  owner: 'Dit formulier is niet goed ingesteld. Dat is niet uw fout. Informeer de beheerder van de website hierover.',
  owner_details: 'Voor de beheerder van het formulier',

  thanks: 'Uw inzending is ontvangen.',
  to_form: 'Terug naar het formulier',
  continue: 'Verder',

  not_found_title: 'Dit formulier bestaat niet',
  not_found: 'Het formulier is mogelijk verwijderd, of het adres is onjuist.',
  rate_limited_title: 'Te veel inzendingen',
  rate_limited:
    'Er zijn te veel inzendingen vanaf uw netwerk gedaan. Wacht een minuut, ga terug en verzend het formulier opnieuw.',
  payload_too_large_title: 'Het formulier is te groot',
  payload_too_large: 'Ga terug, maak de teksten korter of kies kleinere bestanden en verzend het formulier opnieuw.',
  unavailable_title: 'De dienst is niet beschikbaar',
  unavailable: 'Er is niets opgeslagen. Wacht even, ga terug en verzend het formulier opnieuw.',
  request_timeout_title: 'Het verzenden duurde te lang',
  request_timeout:
    'Er is niets opgeslagen. Ga terug en verzend het formulier opnieuw, indien mogelijk via een snellere verbinding.',
  limit_reached_title: 'Dit formulier neemt geen inzendingen meer aan',
  limit_reached: 'Er is niets opgeslagen. Neem op een andere manier contact op met de beheerder van de website.',
  forbidden_title: 'Dit formulier kan hiervandaan niet worden verzonden',
  forbidden: 'Er is niets opgeslagen. Informeer de beheerder van de website hierover.',
  failed_title: 'Het formulier kon niet worden verzonden',
  failed:
    'Er is niets opgeslagen. Ga terug en probeer het opnieuw. Informeer de beheerder van de website als dat niet helpt.',

  trap: 'Laat dit veld leeg',
  checking: 'Uw browser wordt gecontroleerd …',
  checked: 'Uw browser is gecontroleerd.',
  check_waits: 'Uw browser wordt gecontroleerd. Daarna wordt het formulier verzonden.',
  check_failed:
    'Het formulier is niet verzonden, omdat uw browser niet kon worden gecontroleerd. Wacht even en verzend het dan opnieuw.',
  no_script:
    'Dit formulier vraagt om een bewijs van werk, dat een script op deze pagina berekent. Zonder dit bewijs kan uw bericht als spam worden behandeld.',
};
