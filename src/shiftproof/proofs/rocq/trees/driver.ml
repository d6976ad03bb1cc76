(* Reads questions with their trees on standard input, and asks the checker that is proved right.

   One line each, in words; Python's showing/theorems/trees.py writes them:

     unknowns R W I ...       those that are meant from here on, in the order of their appearance:
                              the rank of the name among all, 1 if it is an integer, and the rank
                              of its inverse or - ; the facts before are forgotten
     fact CONDITION           a fact, known by its number from 0: and N ..., or N ..., ? X B, or
                              >= P, > P, = P, of unknowns by their places; P as in a tree
     question K N F ... TREE  of the first K unknowns and N of the facts, by their numbers

   It prints the numbers of the questions that are refused, and how many are accepted.  What cannot
   be read is refused.  Trusted are this reading and the extraction, and no more. *)
open Checker

exception Unreadable

(* Numbers of any size: a digit after the other. *)
let plain n = let rec pos n =
    if n = 1 then XH else if n land 1 = 1 then XI (pos (n / 2)) else XO (pos (n / 2)) in
  if n = 0 then Z0 else Zpos (pos n)
let natural word =
  if word = "" then raise Unreadable;
  String.fold_left (fun n digit -> match digit with
    | '0' .. '9' -> Z.add (Z.mul (plain 10) n) (plain (Char.code digit - Char.code '0'))
    | _ -> raise Unreadable) Z0 word
let after k word = String.sub word k (String.length word - k)
let whole word =
  if word <> "" && word.[0] = '-' then Z.opp (natural (after 1 word)) else natural word
let fraction word = match String.index_opt word '/' with
  | None -> (whole word, XH)
  | Some k -> match natural (after (k + 1) word) with
    | Zpos below -> (whole (String.sub word 0 k), below)
    | _ -> raise Unreadable
let unknown word = match natural word with Zpos p -> Npos p | _ -> N0

(* What a line is read from, and its words one by one. *)
type text = { mutable words : string list }
let next text = match text.words with
  | [] -> raise Unreadable
  | word :: rest -> text.words <- rest; word
(* A number that counts or is a place is small, or there is nothing that it could count. *)
let small text =
  let word = next text in
  match int_of_string_opt word with
  | Some n when String.for_all (fun digit -> '0' <= digit && digit <= '9') word -> n
  | _ -> raise Unreadable
let rec several n read = if n = 0 then [] else let one = read () in one :: several (n - 1) read
let place text row =
  let k = small text in if k < Array.length row then row.(k) else raise Unreadable

let polynomial names text =
  several (small text) (fun () ->
    let qnum, qden = fraction (next text) in
    (several (small text) (fun () -> place text names), { qnum; qden }))
let rec condition names text = match next text with
  | "and" -> All (several (small text) (fun () -> condition names text))
  | "or" -> Any (several (small text) (fun () -> condition names text))
  | "?" -> let name = place text names in Flag (name, small text = 1)
  | ">" -> Compare (Above, polynomial names text)
  | ">=" -> Compare (AtLeast, polynomial names text)
  | "=" -> Compare (Equal, polynomial names text)
  | _ -> raise Unreadable
let fact names words =
  let text = { words } in
  let found = condition names text in
  if text.words = [] then found else raise Unreadable

let word = function
  | "x" -> Step Clash | "f" -> Step Sum | "d" -> Step Derive | "m" -> Step Product
  | "e" -> Step Multiple | "q" -> Step Square | "s" -> Step Split | "c" -> Step Cut
  | word when String.contains word '/' -> let a, b = fraction word in Fraction (a, b)
  | word -> Whole (whole word)

(* The unknowns: their ranks by their places, the integers among them, and the inverses. *)
let order = ref [||]
let integers : (n, unit) Hashtbl.t = Hashtbl.create 100
let inverses : (n, n) Hashtbl.t = Hashtbl.create 100
let rec meet = function
  | rank :: whole :: inverse :: rest ->
      let x = unknown rank in
      if whole = "1" then Hashtbl.replace integers x ();
      if inverse <> "-" then Hashtbl.replace inverses x (unknown inverse);
      x :: meet rest
  | [] -> []
  | _ -> raise Unreadable

let facts : (int, string list) Hashtbl.t = Hashtbl.create 100
let accepted text =
  let known = small text in
  if known > Array.length !order then raise Unreadable;
  let names = Array.sub !order 0 known in
  let read () = match Hashtbl.find_opt facts (small text) with
    | Some words -> fact names words
    | None -> raise Unreadable in
  let conditions = several (small text) read in
  check (Hashtbl.mem integers) (Hashtbl.find_opt inverses) (Array.to_list names) conditions
    (List.map word text.words)

let () =
  let asked = ref 0 and right = ref 0 in
  let line = function
    | "unknowns" :: words ->
        Hashtbl.reset integers; Hashtbl.reset inverses; Hashtbl.reset facts;
        order := Array.of_list (meet words)
    | "fact" :: words -> Hashtbl.add facts (Hashtbl.length facts) words
    | "question" :: words ->
        if try accepted { words } with Unreadable -> false then incr right
        else Printf.printf "refused %d\n" !asked;
        incr asked
    | _ -> raise Unreadable in
  (try while true do line (String.split_on_char ' ' (input_line stdin)) done
   with End_of_file -> ());
  Printf.printf "accepted %d of %d\n" !right !asked
