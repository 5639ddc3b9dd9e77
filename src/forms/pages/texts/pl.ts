import type { PageTexts } from './page-texts.js';

export const pl: PageTexts<'pl'> = {
  submit: 'Wyślij',
  choose: 'Proszę wybrać…',
  required: 'Proszę wypełnić to pole.',
  not_sent: 'Formularz nie został wysłany',
  thanks_title: 'Dziękujemy',
  back: 'Powrót do witryny',
  closed: 'Ten formularz jest zamknięty.',

  marked: 'Pola oznaczone {mark} są wymagane.',
  required_group: '(wymagane)',

  number_range: 'Od {min} do {max}',
  number_min: 'Co najmniej {min}',
  number_max: 'Co najwyżej {max}',
  length_range: {
    one: 'Od {min} do {n} znaku',
    few: 'Od {min} do {n} znaków',
    many: 'Od {min} do {n} znaków',
    other: 'Od {min} do {n} znaku',
  },
  length_min: {
    one: 'Co najmniej {n} znak',
    few: 'Co najmniej {n} znaki',
    many: 'Co najmniej {n} znaków',
    other: 'Co najmniej {n} znaku',
  },
  length_max: {
    one: 'Co najwyżej {n} znak',
    few: 'Co najwyżej {n} znaki',
    many: 'Co najwyżej {n} znaków',
    other: 'Co najwyżej {n} znaku',
  },
  file_limit: 'Co najwyżej {size}',
  files_limit: 'Każdy plik co najwyżej {size}',

  error_title: 'Błąd: {name}',
  files_again: 'Pliki nie są przechowywane. Proszę wybrać je ponownie.',

  required_box: 'Proszę zaznaczyć to pole.',
  required_choice: 'Proszę wybrać jedną z opcji.',
  required_file: 'Proszę wybrać plik.',
  email: 'Proszę podać adres e-mail, na przykład nazwa@example.com.',
  url: 'Proszę podać adres internetowy zaczynający się od http:// lub https://.',
  tel: 'Proszę podać numer telefonu.',
  number: 'Proszę podać liczbę.',
  date: 'Proszę podać datę.',
  min: 'Proszę podać liczbę nie mniejszą niż {min}.',
  max: 'Proszę podać liczbę nie większą niż {max}.',
  too_short: {
    one: 'Proszę wpisać co najmniej {n} znak.',
    few: 'Proszę wpisać co najmniej {n} znaki.',
    many: 'Proszę wpisać co najmniej {n} znaków.',
    other: 'Proszę wpisać co najmniej {n} znaku.',
  },
  too_long: {
    one: 'Proszę wpisać co najwyżej {n} znak.',
    few: 'Proszę wpisać co najwyżej {n} znaki.',
    many: 'Proszę wpisać co najwyżej {n} znaków.',
    other: 'Proszę wpisać co najwyżej {n} znaku.',
  },
  options: 'Proszę wybrać jedną z dostępnych opcji.',
  pattern: 'Proszę podać wartość w oczekiwanym formacie.',
  one_value: 'Proszę podać tylko jedną wartość.',
  one_file: 'Proszę wybrać tylko jeden plik.',
  too_many_files: {
    one: 'Proszę wybrać co najwyżej {n} plik w całym formularzu.',
    few: 'Proszę wybrać co najwyżej {n} pliki w całym formularzu.',
    many: 'Proszę wybrać co najwyżej {n} plików w całym formularzu.',
    other: 'Proszę wybrać co najwyżej {n} pliku w całym formularzu.',
  },
  file_too_large: 'Plik może mieć co najwyżej {size}.',
  file_empty: 'Plik jest pusty.',
  file_type: 'Ten typ pliku nie jest akceptowany. Akceptowane typy: {types}.',
  file_program: 'Programy i skrypty nie są akceptowane.',
  characters: 'Tekst zawiera niedozwolone znaki.',
  invalid: 'Ta wartość jest nieprawidłowa.',

  owner:
    'Ten formularz nie jest poprawnie skonfigurowany. To nie jest Państwa błąd. Prosimy powiadomić właściciela witryny.',
  owner_details: 'Dla właściciela formularza',

  thanks: 'Otrzymaliśmy Państwa zgłoszenie.',
  to_form: 'Powrót do formularza',
  continue: 'Dalej',

  not_found_title: 'Nie ma takiego formularza',
  not_found: 'Formularz mógł zostać usunięty albo jego adres jest nieprawidłowy.',
  rate_limited_title: 'Zbyt wiele zgłoszeń',
  rate_limited:
    'Z Państwa sieci wysłano zbyt wiele zgłoszeń. Proszę odczekać minutę, a następnie wrócić i wysłać formularz ponownie.',
  payload_too_large_title: 'Formularz jest zbyt duży',
  payload_too_large: 'Proszę wrócić, skrócić teksty lub wybrać mniejsze pliki i wysłać formularz ponownie.',
  unavailable_title: 'Usługa jest niedostępna',
  unavailable: 'Nic nie zostało zapisane. Proszę chwilę odczekać, a następnie wrócić i wysłać formularz ponownie.',
  request_timeout_title: 'Przesyłanie trwało zbyt długo',
  request_timeout:
    'Nic nie zostało zapisane. Proszę wrócić i wysłać formularz ponownie, w miarę możliwości przez szybsze łącze.',
  limit_reached_title: 'Ten formularz nie przyjmuje już zgłoszeń',
  limit_reached: 'Nic nie zostało zapisane. Proszę skontaktować się z właścicielem witryny w inny sposób.',
  forbidden_title: 'Tego formularza nie można stąd wysłać',
  forbidden: 'Nic nie zostało zapisane. Prosimy powiadomić właściciela witryny.',
  failed_title: 'Nie udało się wysłać formularza',
  failed:
    'Nic nie zostało zapisane. Proszę wrócić i spróbować ponownie. Jeśli to nie pomoże, prosimy powiadomić właściciela witryny.',

  trap: 'Proszę pozostawić to pole puste',
  checking: 'Trwa sprawdzanie przeglądarki…',
  checked: 'Przeglądarka została sprawdzona.',
  check_waits: 'Trwa sprawdzanie przeglądarki. Formularz zostanie wysłany zaraz potem.',
  check_failed:
    'Formularz nie został wysłany, ponieważ nie udało się sprawdzić przeglądarki. Proszę chwilę odczekać, a następnie wysłać go ponownie.',
  no_script:
    'Ten formularz wymaga dowodu pracy, który oblicza skrypt na tej stronie. Bez niego wiadomość może zostać potraktowana jako spam.',
};
