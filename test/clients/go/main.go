// Calls operations with the generated client: reads a call and writes an answer, one on each line, as JSON.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"

	"loglane.example/clients/client"
)

type call struct {
	ID       string                     `json:"id"`
	Key      string                     `json:"key"`
	Template string                     `json:"template"`
	Path     map[string]json.RawMessage `json:"path"`
	Query    json.RawMessage            `json:"query"`
	Body     json.RawMessage            `json:"body"`
}

type answer struct {
	Status int             `json:"status"`
	Raw    string          `json:"raw"`
	Typed  json.RawMessage `json:"typed,omitempty"`
	Error  string          `json:"error,omitempty"`
}

const maxLineBytes = 16 << 20

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, maxLineBytes)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		result, err := perform(os.Args[1], lines.Bytes())
		if err != nil {
			result = answer{Error: err.Error()}
		}
		if err := out.Encode(result); err != nil {
			panic(err)
		}
	}
}

func perform(url string, line []byte) (answer, error) {
	var asked call
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{}, err
	}
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+asked.Key)
		return nil
	}
	api, err := client.NewClientWithResponses(url, client.WithRequestEditorFn(authorize))
	if err != nil {
		return answer{}, err
	}
	operation := reflect.ValueOf(api).MethodByName(strings.ToUpper(asked.ID[:1]) + asked.ID[1:] + "WithResponse")
	if !operation.IsValid() {
		return answer{}, fmt.Errorf("the client has no %s", asked.ID)
	}
	arguments, err := argumentsOf(operation.Type(), asked)
	if err != nil {
		return answer{}, err
	}
	results := operation.Call(arguments)
	if err, failed := results[1].Interface().(error); failed {
		return answer{}, err
	}
	return typedAnswer(results[0].Elem())
}

// argumentsOf orders the values as generated methods take them: context, parameters of the path, other parameters, body.
func argumentsOf(operation reflect.Type, asked call) ([]reflect.Value, error) {
	var values []json.RawMessage
	for _, part := range strings.Split(asked.Template, "/") {
		if strings.HasPrefix(part, "{") {
			values = append(values, asked.Path[strings.Trim(part, "{}")])
		}
	}
	// The last one is the list of request editors.
	others := operation.NumIn() - 2 - len(values)
	if others > 0 && operation.In(1+len(values)).Kind() == reflect.Pointer {
		values = append(values, asked.Query)
		others--
	}
	if others > 0 {
		values = append(values, asked.Body)
	}
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	for index, value := range values {
		argument := reflect.New(operation.In(index + 1))
		if err := json.Unmarshal(value, argument.Interface()); err != nil {
			return nil, fmt.Errorf("%s: %w", value, err)
		}
		arguments = append(arguments, argument.Elem())
	}
	return arguments, nil
}

func typedAnswer(response reflect.Value) (answer, error) {
	status := response.FieldByName("HTTPResponse").Interface().(*http.Response).StatusCode
	raw := response.FieldByName("Body").Bytes()
	typed := response.FieldByName(fmt.Sprintf("JSON%d", status))
	if !typed.IsValid() || typed.IsNil() {
		return answer{}, fmt.Errorf("no typed answer for %d: %s", status, raw)
	}
	text, err := json.Marshal(typed.Interface())
	return answer{Status: status, Raw: string(raw), Typed: text}, err
}
