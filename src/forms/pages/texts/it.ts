import type { PageTexts } from './page-texts.js';

export const it: PageTexts<'it'> = {
  submit: 'Invia',
  choose: 'Scegliere…',
  required: 'Compilare questo campo.',
  not_sent: 'Il modulo non è stato inviato',
  thanks_title: 'Grazie',
  back: 'Torna al sito',
  closed: 'Questo modulo è chiuso.',

  marked: 'I campi contrassegnati con {mark} sono obbligatori.',
  required_group: '(obbligatorio)',

  number_range: 'Da {min} a {max}',
  number_min: 'Almeno {min}',
  number_max: 'Al massimo {max}',
  length_range: {
    one: 'Da {min} a {n} carattere',
    many: 'Da {min} a {n} di caratteri',
    other: 'Da {min} a {n} caratteri',
  },
  length_min: { one: 'Almeno {n} carattere', many: 'Almeno {n} di caratteri', other: 'Almeno {n} caratteri' },
  length_max: {
    one: 'Al massimo {n} carattere',
    many: 'Al massimo {n} di caratteri',
    other: 'Al massimo {n} caratteri',
  },
  file_limit: 'Al massimo {size}',
  files_limit: 'Al massimo {size} per file',

  error_title: 'Errore: {name}',
  files_again: 'I file non vengono conservati. Si prega di sceglierli di nuovo.',

  required_box: 'Selezionare questa casella.',
  required_choice: 'Scegliere un’opzione.',
  required_file: 'Scegliere un file.',
  email: 'Inserire un indirizzo e-mail, ad esempio nome@example.com.',
  url: 'Inserire un indirizzo web che inizi con http:// o https://.',
  tel: 'Inserire un numero di telefono.',
  number: 'Inserire un numero.',
  date: 'Inserire una data.',
  min: 'Inserire un numero maggiore o uguale a {min}.',
  max: 'Inserire un numero minore o uguale a {max}.',
  too_short: {
    one: 'Inserire almeno {n} carattere.',
    many: 'Inserire almeno {n} di caratteri.',
    other: 'Inserire almeno {n} caratteri.',
  },
  too_long: {
    one: 'Inserire al massimo {n} carattere.',
    many: 'Inserire al massimo {n} di caratteri.',
    other: 'Inserire al massimo {n} caratteri.',
  },
  options: 'Scegliere una delle opzioni.',
  pattern: 'Inserire il valore nel formato previsto.',
  one_value: 'Inserire un solo valore.',
  one_file: 'Scegliere un solo file.',
  too_many_files: {
    one: 'Scegliere al massimo {n} file nell’intero modulo.',
    many: 'Scegliere al massimo {n} di file nell’intero modulo.',
    other: 'Scegliere al massimo {n} file nell’intero modulo.',
  },
  file_too_large: 'Un file può avere al massimo {size}.',
  file_empty: 'Il file è vuoto.',
  file_type: 'Questo tipo di file non è accettato. Tipi accettati: {types}.',
  file_program: 'Programmi e script non sono accettati.',
  characters: 'Il testo contiene caratteri non accettati.',
  invalid: 'Questo valore non è valido.',

  owner:
    'Questo modulo non è configurato correttamente. L’errore non dipende da Lei. Si prega di avvisare il responsabile del sito.',
  owner_details: 'Per il responsabile del modulo',

  thanks: 'I Suoi dati sono stati ricevuti.',
  to_form: 'Torna al modulo',
  continue: 'Continua',

  not_found_title: 'Questo modulo non esiste',
  not_found: 'Il modulo potrebbe essere stato eliminato oppure l’indirizzo potrebbe essere errato.',
  rate_limited_title: 'Troppi invii',
  rate_limited:
    'Dalla Sua rete sono arrivati troppi invii. Si prega di attendere un minuto, poi di tornare indietro e inviare di nuovo il modulo.',
  payload_too_large_title: 'Il modulo è troppo grande',
  payload_too_large:
    'Si prega di tornare indietro, abbreviare i testi o scegliere file più piccoli e inviare di nuovo il modulo.',
  unavailable_title: 'Il servizio non è disponibile',
  unavailable:
    'Non è stato salvato nulla. Si prega di attendere un momento, poi di tornare indietro e inviare di nuovo il modulo.',
  request_timeout_title: 'L’invio ha richiesto troppo tempo',
  request_timeout:
    'Non è stato salvato nulla. Si prega di tornare indietro e inviare di nuovo il modulo, se possibile con una connessione più veloce.',
  limit_reached_title: 'Questo modulo non accetta altri invii',
  limit_reached: 'Non è stato salvato nulla. Si prega di contattare il responsabile del sito in un altro modo.',
  forbidden_title: 'Questo modulo non può essere inviato da qui',
  forbidden: 'Non è stato salvato nulla. Si prega di avvisare il responsabile del sito.',
  failed_title: 'Non è stato possibile inviare il modulo',
  failed:
    'Non è stato salvato nulla. Si prega di tornare indietro e riprovare. Se il problema persiste, si prega di avvisare il responsabile del sito.',

  trap: 'Lasciare vuoto questo campo',
  checking: 'Verifica del browser in corso…',
  checked: 'Il browser è stato verificato.',
  check_waits: 'Il browser è in fase di verifica. Il modulo verrà inviato subito dopo.',
  check_failed:
    'Il modulo non è stato inviato perché non è stato possibile verificare il browser. Si prega di attendere un momento e di inviarlo di nuovo.',
  no_script:
    'Questo modulo richiede una prova di lavoro, calcolata da uno script di questa pagina. Senza di essa, il messaggio potrebbe essere trattato come spam.',
};
