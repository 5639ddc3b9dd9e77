import type { PageTexts } from './page-texts.js';

export const de: PageTexts<'de'> = {
  submit: 'Absenden',
  choose: 'Bitte wählen …',
  required: 'Bitte füllen Sie dieses Feld aus.',
  not_sent: 'Das Formular wurde nicht gesendet',
  thanks_title: 'Vielen Dank',
  back: 'Zurück zur Website',
  closed: 'Dieses Formular ist geschlossen.',

  marked: 'Mit {mark} markierte Felder sind Pflichtfelder.',
  required_group: '(Pflichtfeld)',

  number_range: '{min} bis {max}',
  number_min: 'Mindestens {min}',
  number_max: 'Höchstens {max}',
  length_range: { one: '{min} bis {n} Zeichen', other: '{min} bis {n} Zeichen' },
  length_min: { one: 'Mindestens {n} Zeichen', other: 'Mindestens {n} Zeichen' },
  length_max: { one: 'Höchstens {n} Zeichen', other: 'Höchstens {n} Zeichen' },
  file_limit: 'Höchstens {size}',
  files_limit: 'Je Datei höchstens {size}',

  error_title: 'Fehler: {name}',
  files_again: 'Dateien werden nicht gespeichert. Bitte wählen Sie sie erneut aus.',

  required_box: 'Bitte setzen Sie dieses Häkchen.',
  required_choice: 'Bitte wählen Sie eine Option.',
  required_file: 'Bitte wählen Sie eine Datei.',
  email: 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
  url: 'Bitte geben Sie eine Webadresse ein, die mit http:// oder https:// beginnt.',
  tel: 'Bitte geben Sie eine Telefonnummer ein.',
  number: 'Bitte geben Sie eine Zahl ein.',
  date: 'Bitte geben Sie ein Datum ein.',
  min: 'Bitte geben Sie eine Zahl ein, die mindestens {min} ist.',
  max: 'Bitte geben Sie eine Zahl ein, die höchstens {max} ist.',
  too_short: {
    one: 'Bitte geben Sie mindestens {n} Zeichen ein.',
    other: 'Bitte geben Sie mindestens {n} Zeichen ein.',
  },
  too_long: { one: 'Bitte geben Sie höchstens {n} Zeichen ein.', other: 'Bitte geben Sie höchstens {n} Zeichen ein.' },
  options: 'Bitte wählen Sie eine der Optionen.',
  pattern: 'Bitte geben Sie den Wert im erwarteten Format ein.',
  one_value: 'Bitte geben Sie nur einen Wert ein.',
  one_file: 'Bitte wählen Sie nur eine Datei.',
  too_many_files: {
    one: 'Bitte wählen Sie im ganzen Formular höchstens {n} Datei.',
    other: 'Bitte wählen Sie im ganzen Formular höchstens {n} Dateien.',
  },
  file_too_large: 'Eine Datei darf höchstens {size} haben.',
  file_empty: 'Die Datei ist leer.',
  file_type: 'Dieser Dateityp wird nicht angenommen. Zulässige Typen: {types}.',
  file_program: 'Programme und Skripte werden nicht angenommen.',
  characters: 'Der Text enthält Zeichen, die nicht zulässig sind.',
  invalid: 'Dieser Wert ist ungültig.',

  owner:
    'Dieses Formular ist nicht richtig eingerichtet. Das ist nicht Ihr Fehler. Bitte informieren Sie den Betreiber der Website.',
  owner_details: 'Für den Betreiber des Formulars',

  thanks: 'Ihre Angaben sind eingegangen.',
  to_form: 'Zurück zum Formular',
  continue: 'Weiter',

  not_found_title: 'Dieses Formular gibt es nicht',
  not_found: 'Das Formular wurde möglicherweise gelöscht, oder die Adresse ist falsch.',
  rate_limited_title: 'Zu viele Absendungen',
  rate_limited:
    'Aus Ihrem Netzwerk wurden zu viele Formulare gesendet. Bitte warten Sie eine Minute, gehen Sie dann zurück und senden Sie das Formular erneut.',
  payload_too_large_title: 'Das Formular ist zu groß',
  payload_too_large:
    'Bitte gehen Sie zurück, kürzen Sie die Texte oder wählen Sie kleinere Dateien, und senden Sie das Formular erneut.',
  unavailable_title: 'Der Dienst ist nicht verfügbar',
  unavailable:
    'Es wurde nichts gespeichert. Bitte warten Sie einen Moment, gehen Sie dann zurück und senden Sie das Formular erneut.',
  request_timeout_title: 'Die Übertragung hat zu lange gedauert',
  request_timeout:
    'Es wurde nichts gespeichert. Bitte gehen Sie zurück und senden Sie das Formular erneut, wenn möglich über eine schnellere Verbindung.',
  limit_reached_title: 'Dieses Formular nimmt nichts mehr an',
  limit_reached:
    'Es wurde nichts gespeichert. Bitte wenden Sie sich auf einem anderen Weg an den Betreiber der Website.',
  forbidden_title: 'Dieses Formular kann von hier nicht gesendet werden',
  forbidden: 'Es wurde nichts gespeichert. Bitte informieren Sie den Betreiber der Website.',
  failed_title: 'Das Formular konnte nicht gesendet werden',
  failed:
    'Es wurde nichts gespeichert. Bitte gehen Sie zurück und versuchen Sie es erneut. Wenn das nicht hilft, informieren Sie den Betreiber der Website.',

  trap: 'Lassen Sie dieses Feld leer',
  checking: 'Ihr Browser wird geprüft …',
  checked: 'Ihr Browser wurde geprüft.',
  check_waits: 'Ihr Browser wird geprüft. Danach wird das Formular gesendet.',
  check_failed:
    'Das Formular wurde nicht gesendet, weil Ihr Browser nicht geprüft werden konnte. Bitte warten Sie einen Moment und senden Sie es dann erneut.',
  no_script:
    'Dieses Formular verlangt einen Arbeitsnachweis, den ein Skript dieser Seite berechnet. Ohne ihn wird Ihre Nachricht möglicherweise als Spam behandelt.',
};
